/** What the demonstration couple wants to remember of their dates, by the day of the date as in `SeedDate`. */

interface SeedNote {
  readonly text: string;
  readonly hearts: number | null;
}

export interface SeedNotes {
  readonly day: number;
  readonly nora?: SeedNote;
  readonly elias?: SeedNote;
}

export const notes: readonly SeedNotes[] = [
  {
    day: -990,
    nora: { text: 'You held the lantern so that the light fell on my side of the path.', hearts: 5 },
    elias: { text: 'I had planned what to say at the weir. I said nothing, and it was better.', hearts: 5 },
  },
  {
    day: -742,
    nora: { text: 'The second lunch. The third lunch.', hearts: 4 },
    elias: { text: 'We sat on the wall behind the station and you taught me the word for swallow.', hearts: null },
  },
  {
    day: -401,
    nora: { text: 'One drum, and your shoulder.', hearts: 4 },
    elias: { text: 'You hummed the wrong ending all the way home. I prefer yours.', hearts: 4 },
  },
  {
    day: -205,
    nora: { text: 'Nobody else was up. I would like to be nobody else again.', hearts: 5 },
    elias: { text: 'Petals in your hood until evening. I did not tell you.', hearts: 5 },
  },
  {
    day: -35,
    nora: {
      text: 'We missed the train home on purpose. Twice. You bargained for a brass key that opens nothing we own, and I thought: it opens this.',
      hearts: 5,
    },
    elias: {
      text: 'The bakery was closed, so we sat on the step and waited, and you fell asleep on my shoulder before it opened.\nI did not move for forty minutes. My arm has never been so happy to be asleep.',
      hearts: 4,
    },
  },
  { day: -21, nora: { text: 'The tired ones opened. All of them, overnight, while we slept.', hearts: 3 } },
  // Each partner finds one note that waits.
  { day: -7, elias: { text: 'You named the lamps again. There are six now.', hearts: 5 } },
];
