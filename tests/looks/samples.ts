/** Sample data of the kit: the prototype's texts, with short and very long ones. */
export const long =
  'The slow Sunday we keep promising each other: breakfast at the covered market, the long way round the lake, and the bookshop that is only open when its owner remembers';

export const tickets = [
  {
    state: 'upcoming',
    stateLabel: 'Upcoming',
    day: { weekday: 'Fri', day: '4', month: 'Dec', year: '2026' },
    until: '13 days to go',
    hue: 'Adventure',
    title: 'The night train to Vienna',
    facts: ['Friday, December 4, 2026', '9:40 PM · 11 hours 20 minutes', 'Santa Maria Novella, platform 8'],
    notes: 'You take the lower bunk, I carry the oranges.',
    main: ['Start Date'],
    rare: ['Edit', 'Cancel Date', 'Delete'],
  },
  {
    state: 'today',
    stateLabel: 'Today!',
    day: { weekday: 'Sat', day: '21', month: 'Nov', year: '2026' },
    until: '6 hours to go',
    hue: 'Food',
    title: 'Candles, the good plates and that risotto again',
    facts: ['Saturday, November 21, 2026', '7:30 PM · 2 hours', 'At home, the table by the window'],
    notes: 'No phones after the first glass.',
    main: ['Start Date'],
    rare: ['Edit', 'Delete'],
  },
  {
    state: 'overdue',
    stateLabel: 'Overdue',
    day: { weekday: 'Thu', day: '19', month: 'Nov', year: '2026' },
    until: 'Was planned for 2 days ago',
    hue: 'Active',
    title: 'Learn to waltz, badly, in the kitchen',
    facts: ['Thursday, November 19, 2026', '8:00 PM · 45 minutes'],
    notes: null,
    main: ['Start Date'],
    rare: ['Delete'],
  },
  {
    state: 'in-progress',
    stateLabel: 'In Progress',
    day: { weekday: 'Sat', day: '21', month: 'Nov', year: '2026' },
    until: 'Started 2 hours ago',
    hue: 'Outdoor',
    title: 'A slow Saturday at the flower market',
    facts: ['Saturday, November 21, 2026', '11:00 AM · 4 hours', 'Piazza Sant’Agostino, by the fountain', '3 memories'],
    notes: null,
    main: ['Complete'],
    rare: ['Delete'],
  },
  {
    state: 'completed',
    stateLabel: 'Completed',
    day: { weekday: 'Sat', day: '14', month: 'Nov', year: '2026' },
    until: '7 days ago',
    hue: 'Romantic',
    title: 'Lantern walk through the old town',
    facts: [
      'Saturday, November 14, 2026',
      '6:15 PM · 2 hours 10 minutes',
      'From the cathedral down to the river',
      '9 memories',
    ],
    notes: 'We missed the last bus and walked back along the wall, singing.',
    main: ['Add Memories'],
    rare: ['Delete'],
  },
  {
    state: 'cancelled',
    stateLabel: 'Cancelled',
    day: { weekday: 'Fri', day: '25', month: 'Sep', year: '2026' },
    until: '',
    hue: 'Relaxing',
    title: 'Open-air cinema by the river',
    facts: ['Friday, September 25, 2026', '9:00 PM · 2 hours 15 minutes', 'Lungarno, the lower steps'],
    notes: 'Rain, all evening. We watched it from bed instead.',
    main: [],
    rare: ['Delete'],
  },
] as const;

export type SampleTicket = (typeof tickets)[number];

export const ideas = [
  {
    hue: 'Romantic',
    title: 'Read to each other by the window',
    text: 'One chapter each, the worst voice wins. The first to fall asleep makes breakfast.',
    badges: ['New'],
    foot: 'Created today',
  },
  {
    hue: 'Outdoor',
    title: long,
    text: 'Start at eight so that the bread is still warm. Buy nothing we cannot carry. Walk until the street lamps come on, then one more street, because the best café is always one street after we wanted to give up. If it rains we go anyway; that is the whole idea, and you know that I am right about umbrellas.',
    badges: ['Popular'],
    foot: 'Last planned 2 weeks ago',
  },
  { hue: 'Indoor', title: 'Fort', text: '', badges: [], foot: 'Created 4 months ago' },
  {
    hue: 'Adventure',
    title: 'The night train to anywhere',
    text: 'Whatever leaves after nine.',
    badges: ['New', 'Popular'],
    foot: 'Last planned 3 weeks ago',
  },
  {
    hue: 'Food',
    title: 'Zia Carla’s lemon cake',
    text: 'From the letter, not from memory.',
    badges: ['Popular'],
    foot: 'Last planned yesterday',
  },
  {
    hue: 'Cultural',
    title: 'The museum nobody visits',
    text: 'One room only, for an hour.',
    badges: ['New'],
    foot: 'Created 5 days ago',
  },
  {
    hue: 'Relaxing',
    title: 'Hot springs in the snow',
    text: 'Bagno Vignoni, on a weekday.',
    badges: [],
    foot: 'Created 1 year ago',
  },
  {
    hue: 'Active',
    title: 'Learn to waltz, badly',
    text: 'In the kitchen, in socks.',
    badges: [],
    foot: 'Last planned 2 days ago',
  },
];

export const photos = [
  {
    file: 'sea.jpg',
    width: 1100,
    height: 733,
    caption: 'We had the whole beach and one pair of gloves',
    meta: 'November 20',
  },
  {
    file: 'flower.jpg',
    width: 396,
    height: 424,
    caption: 'You said no. Then you carried it home.',
    meta: 'November 19',
  },
  { file: 'bokeh.jpg', width: 880, height: 1100, caption: null, meta: 'November 14' },
  { file: 'stars.jpg', width: 1100, height: 620, caption: 'Too cold to stay, too many to leave', meta: 'November 2' },
  { file: 'not-there.jpg', width: 480, height: 780, caption: 'Loud enough to say it first', meta: 'October 3' },
];

export const statuses = ['upcoming', 'today', 'overdue', 'in-progress', 'completed', 'cancelled', 'Unknown'];
export const categories: [string, string, string][] = [
  ['Romantic', '🌹', 'Romantic'],
  ['Outdoor', '🌳', 'Outdoor'],
  ['Indoor', '🏠', 'Indoor'],
  ['Adventure', '🧭', 'Adventure'],
  ['Food', '🍽️', 'Food & Dining'],
  ['Cultural', '🎭', 'Cultural'],
  ['Relaxing', '☕', 'Relaxing'],
  ['Active', '🚲', 'Active'],
  ['Unknown', '🤍', 'Unknown'],
];
