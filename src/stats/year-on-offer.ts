/** The year whose story the dashboard offers on a day such as '2026-12-10': from December 10 until the end of January. */
export function yearOnOffer(today: string): number | null {
  const year = Number(today.slice(0, 4));
  const day = today.slice(5);
  if (day >= '12-10') return year;
  return day <= '01-31' ? year - 1 : null;
}
