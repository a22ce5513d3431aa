/** The demonstration couple's data: ideas, dates, and captions. */

type Scene = 'sea' | 'hills' | 'night' | 'lamps' | 'forest' | 'town' | 'table' | 'snow';

export interface SeedIdea {
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
  readonly isActive?: false;
}

export interface SeedDate {
  /** The title of its idea. */
  readonly idea: string;
  /** The planned day, counted from today; negative is in the past. */
  readonly day: number;
  readonly hour: number;
  readonly minutes: number;
  readonly location: string | null;
  readonly notes: string | null;
  /** Whether one partner plans it as a surprise for the other. */
  readonly surprise: boolean;
  readonly status: 'completed' | 'in-progress' | 'planned' | 'cancelled';
  readonly photos: number;
  readonly scene: Scene;
  /** Whether it is added as a past date, and never was planned. */
  readonly isAddedLater?: boolean;
  /** How many minutes earlier it really began, as its record is corrected to say. */
  readonly beganEarlier?: number;
  /** A caption with a mistake, which the first photograph has until it is corrected. */
  readonly misspelled?: string;
}

export const ideas: readonly SeedIdea[] = [
  {
    title: 'Lantern walk through the old town',
    description: 'From the cathedral down to the river, no phones, one lantern each.',
    category: 'Romantic',
  },
  {
    title: 'Two days with no plan but lunch',
    description: 'Take the slow train somewhere with a market. No list, no museum tickets, one long lunch.',
    category: 'Cultural',
  },
  {
    title: 'The night train to Vienna',
    description: 'Whatever leaves after nine. You take the lower bunk.',
    category: 'Adventure',
  },
  {
    title: 'Candles, the good plates and that risotto again',
    description: 'You stir, I read out loud. At the table by the window.',
    category: 'Food',
  },
  {
    title: 'Swim before breakfast',
    description: 'At the little beach behind the harbor, then coffee in wet hair.',
    category: 'Active',
  },
  { title: 'Learn to waltz, badly, in the kitchen', description: 'In socks. The cat may judge.', category: 'Active' },
  { title: 'Sunday in bed with the crossword', description: 'Seven letters, ‘content’.', category: 'Relaxing' },
  {
    title: 'The museum nobody visits',
    description: 'One room only, for a whole hour. Then we tell each other what we would steal.',
    category: 'Cultural',
  },
  {
    title: 'A map, a coin and four hours',
    description: 'Heads is left, tails is right. We turn back when the coin says so, or when we are hungry.',
    category: 'Adventure',
  },
  { title: 'Build the fort again', description: null, category: 'Indoor' },
  {
    title: 'Wisteria tunnel before everyone else wakes up',
    description: 'In the Bardini garden, by the upper gate, in the last week of April.',
    category: 'Romantic',
  },
  {
    title: 'Read to each other by the window',
    description: 'One chapter each, the worst voice wins. The first to fall asleep makes breakfast.',
    category: 'Indoor',
  },
  {
    title: 'Stargazing with the bad telescope',
    description: 'Visit the hill above the vineyard, with two blankets and the thermos.',
    category: 'Outdoor',
  },
  {
    title: 'Zia Carla’s lemon cake',
    description: 'From the letter, not from memory. Double the peel.',
    category: 'Food',
  },
  {
    title: 'Open-air cinema by the river',
    description: 'What they show: https://cinema.example.org/summer/program. Bring the blanket.',
    category: 'Relaxing',
  },
  {
    title: 'First snow, the long way round',
    description: 'Up to the chapel and back, however late it is when it starts to fall.',
    category: 'Outdoor',
  },
  {
    title: 'Flower market, then soup somewhere warm',
    description: 'Buy the ones that look tired. They open at home.',
    category: 'Outdoor',
  },
  { title: 'Two bicycles, one working bell', description: null, category: 'Active', isActive: false },
  {
    title: 'Hot springs in the snow',
    description: 'On a weekday, when the steam has the square to itself.',
    category: 'Relaxing',
    isActive: false,
  },
  {
    title:
      'The slow Sunday we keep promising each other: breakfast at the covered market, the long way round the lake, and the bookshop that is only open when its owner remembers',
    description:
      'Start at eight so that the bread is still warm. Buy nothing we cannot carry. Walk until the street lamps come on, then one more street.',
    category: 'Outdoor',
  },
  { title: 'Cook with only what the garden has', description: null, category: 'Food' },
  {
    title: 'A concert from the cheap seats',
    description: 'Go to the Teatro Verdi, ask for whatever is left.',
    category: 'Cultural',
  },
];

const [
  lantern,
  plan,
  train,
  risotto,
  swim,
  waltz,
  crossword,
  museum,
  coin,
  fort,
  wisteria,
  read,
  stars,
  cake,
  cinema,
  snow,
  flowers,
  ,
  ,
  sunday,
  garden,
  concert,
] = ideas.map((idea) => idea.title) as [string, ...string[]];

type DateRow = [
  idea: string | undefined,
  day: number,
  hour: number,
  minutes: number,
  location: string | null,
  notes: string | null,
  photos: number,
  scene: Scene,
];

const past: readonly DateRow[] = [
  [lantern, -990, 18, 165, 'From the cathedral to the weir', 'The first one. Neither of us said so.', 4, 'lamps'],
  [cake, -962, 16, 130, null, 'Twice the peel, half the patience.', 5, 'table'],
  [
    museum,
    -931,
    15,
    95,
    'La Specola, the room of birds',
    'You would take the kingfisher. I would take you.',
    4,
    'town',
  ],
  [snow, -893, 21, 80, 'The chapel road', null, 6, 'snow'],
  [read, -866, 20, 120, null, 'I made breakfast.', 2, 'night'],
  [swim, -790, 7, 110, 'The little beach behind the harbor', 'Cold. Worth it. Cold.', 8, 'sea'],
  [
    plan,
    -742,
    10,
    1_815,
    'Arezzo, the small hotel behind Piazza Grande',
    'We missed the train home on purpose.',
    14,
    'town',
  ],
  [stars, -701, 22, 190, 'The hill above the vineyard', 'Four satellites, one wish each.', 5, 'night'],
  [waltz, -668, 21, 45, null, null, 1, 'table'],
  [coin, -640, 9, 240, 'Heads, heads, tails', 'The coin likes rivers.', 9, 'hills'],
  [flowers, -604, 10, 200, 'Piazza Sant’Agostino, by the fountain', null, 7, 'forest'],
  [risotto, -577, 19, 150, 'At home, the table by the window', 'No phones after the first glass.', 3, 'table'],
  [lantern, -541, 18, 140, 'Across both bridges', null, 5, 'lamps'],
  [crossword, -512, 10, 210, null, 'Nine across was ‘stay’.', 1, 'table'],
  [fort, -480, 17, 180, 'The living room, all of it', null, 4, 'night'],
  [
    train,
    -452,
    21,
    3_090,
    'Santa Maria Novella, platform 8',
    'You took the lower bunk. I carried the oranges.',
    16,
    'snow',
  ],
  [
    wisteria,
    -205,
    6,
    95,
    'Giardino Bardini, the upper gate',
    'It smelled of April all the way to the car.',
    9,
    'forest',
  ],
  [swim, -182, 6, 130, 'The little beach behind the harbor', 'Warmer than the first time. So were we.', 10, 'sea'],
  [concert, -401, 20, 150, 'Teatro Verdi, the very top', 'We could see one drum and each other.', 3, 'lamps'],
  [cake, -365, 16, 125, null, 'A year of getting it wrong. Perfect.', 4, 'table'],
  [sunday, -330, 8, 600, 'Lago di Bilancino', 'The bookshop was open.', 15, 'hills'],
  [stars, -298, 21, 170, 'The hill above the vineyard', null, 6, 'night'],
  [coin, -262, 10, 255, 'Tails, tails, tails', 'Straight to the sea.', 9, 'sea'],
  [museum, -231, 14, 90, 'The plaster casts', null, 3, 'town'],
  [
    garden,
    -148,
    18,
    140,
    'The allotment, https://allotments.example.org',
    'Eleven zucchini. What to do with them: https://recipes.example.org/zucchini?for=2',
    5,
    'forest',
  ],
  [read, -120, 21, 95, null, null, 1, 'night'],
  [swim, -96, 7, 120, 'The little beach behind the harbor', 'We had the whole of it and one pair of gloves.', 8, 'sea'],
  [
    plan,
    -35,
    10,
    1_770,
    'Arezzo, the small hotel behind Piazza Grande',
    'We missed the train home on purpose. Twice.',
    14,
    'town',
  ],
  [flowers, -21, 9, 185, 'Piazza Sant’Agostino', 'The tired ones opened.', 6, 'forest'],
  [lantern, -7, 18, 130, 'From the cathedral down to the river', null, 9, 'lamps'],
];

const ahead: readonly (readonly [...DateRow, SeedDate['status']])[] = [
  [flowers, 0, -1, 240, 'Piazza Sant’Agostino, by the fountain', 'Then soup somewhere warm.', 4, 'town', 'in-progress'],
  [
    cinema,
    -57,
    21,
    135,
    'Lungarno, the lower steps',
    'Rain, all evening. We watched it from bed instead.',
    0,
    'night',
    'cancelled',
  ],
  [garden, -140, 18, 120, null, null, 0, 'forest', 'cancelled'],
  [waltz, -2, 20, 45, null, null, 0, 'table', 'planned'],
  [risotto, 0, 21, 120, 'At home, the table by the window', 'No phones after the first glass.', 0, 'table', 'planned'],
  [crossword, 1, 10, 180, null, null, 0, 'table', 'planned'],
  [
    train,
    13,
    21,
    660,
    'Santa Maria Novella, platform 8',
    'You take the lower bunk, I carry the oranges. Bring the blue scarf.',
    0,
    'snow',
    'planned',
  ],
  [snow, 40, 17, 90, 'The chapel road', null, 0, 'snow', 'planned'],
  [concert, 75, 20, 150, 'Teatro Verdi', null, 0, 'lamps', 'planned'],
  [wisteria, 148, 6, 150, 'Giardino Bardini, the upper gate', null, 0, 'forest', 'planned'],
];

function toDate(
  [idea, day, hour, minutes, location, notes, photos, scene]: DateRow,
  status: SeedDate['status'],
): SeedDate {
  if (idea === undefined) throw new Error('A date refers to an idea that does not exist');
  const surprise = status === 'planned' && idea === concert;
  return { idea, day, hour, minutes, location, notes, surprise, photos, scene, status };
}

const wantedByBoth = ['The night train to Vienna', 'The museum nobody visits', 'Read to each other by the window'];

/** The titles of the ideas on which each partner has put a heart. */
export const hearts = {
  nora: [...wantedByBoth, 'Zia Carla’s lemon cake', 'Stargazing with the bad telescope'],
  elias: [...wantedByBoth, 'Learn to waltz, badly, in the kitchen', 'Hot springs in the snow'],
};

/** How Elias reads dates and times, and the day of the date on which he doesn't want to look back. */
export const ofElias = { formats: 'international', doesNotLookBackOn: -668 } as const;

/** The oldest dates happened before the couple had the app. They were added later, with their photographs. */
const DATES_BEFORE_THE_APP = 3;

/** What is corrected afterwards, by the day of its date. */
const AFTERWARDS = new Map<number, Pick<SeedDate, 'beganEarlier' | 'misspelled'>>([
  [-604, { beganEarlier: 30 }],
  [-148, { misspelled: 'Elevn zucchini' }],
]);

/** Forty dates, oldest first. */
export const dates: readonly SeedDate[] = [
  ...past.map((row) => toDate(row, 'completed')),
  ...ahead.map(([idea, day, hour, minutes, location, notes, photos, scene, status]) =>
    toDate([idea, day, hour, minutes, location, notes, photos, scene], status),
  ),
]
  .sort((a, b) => a.day - b.day || a.hour - b.hour)
  .map((date, n) => ({ ...date, ...AFTERWARDS.get(date.day), isAddedLater: n < DATES_BEFORE_THE_APP }));

export const captions: Readonly<Record<Scene, readonly string[]>> = {
  sea: ['We had the whole beach', 'Before the boats', 'You first', 'Salt in everything', 'One pair of gloves'],
  hills: ['From the train, the one we did catch', 'Heads, then left', 'The long way round', 'Nobody for miles'],
  night: [
    'Too cold to stay, too many to leave',
    'That one is ours',
    'Chapter four, and you were gone',
    'The bad telescope was enough',
  ],
  lamps: ['You stopped for every lamp', 'Five, and you named them', 'Wet glasses', 'Home by the lit side'],
  forest: [
    'It smelled of April all the way',
    'The tired ones',
    'You said no. Then you carried it home',
    'Pollen on your coat',
  ],
  town: [
    'Via Cesalpino at seven, before the bakery opened',
    'Ours is the third door',
    'The bench where we ate both desserts first',
    'Crooked',
  ],
  table: ['Double the peel', 'The good plates', 'Who needs a recipe', 'Nine across'],
  snow: ['The first of the year', 'Platform 8', 'Your footprints, then mine', 'Loud enough to say it first'],
};

export type { Scene };
