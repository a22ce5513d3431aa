/** The kinds of reminders, with the labels of their switches. */
export const REMINDERS = [
  { kind: 'tomorrow', label: 'The evening before a date' },
  { kind: 'starting', label: 'When a date is about to start' },
  { kind: 'howWasIt', label: '‘How was it?’ after a date that was not completed' },
  { kind: 'photographs', label: 'When your partner added photographs' },
  { kind: 'notes', label: 'When you both wrote about a date' },
] as const;

export type ReminderKind = (typeof REMINDERS)[number]['kind'];
/** Which kinds a user wants. */
export type ReminderChoices = Readonly<Record<ReminderKind, boolean>>;

export const ALL_REMINDERS: ReminderChoices = {
  tomorrow: true,
  starting: true,
  howWasIt: true,
  photographs: true,
  notes: true,
};
