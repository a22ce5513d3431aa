/** Average minutes per date, rounded down; 0 without dates. */
export function averageMinutesOf(totalMinutes: number, dates: number): number {
  return dates === 0 ? 0 : Math.floor(totalMinutes / dates);
}

/** Average memories per completed date, with one decimal; 0 without dates (stats.wire.4). */
export function averagePerDate(memories: number, dates: number): number {
  return dates === 0 ? 0 : Math.round((memories / dates) * 10) / 10;
}
