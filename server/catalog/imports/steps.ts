/** Every point at which an import may die, in the order in which it comes by: tests kill it at each. */
export const importSteps = [
  'run:claimed',
  'discover:page-read',
  'discover:listings-inserted',
  'discover:cursor-moved',
  'discover:page-stored',
  'decide:items-read',
  'decide:written',
  'decide:committed',
  'action:marked',
  'action:listings-read',
  'action:written',
  'action:committed',
  'finish:completed',
] as const
export type ImportStep = (typeof importSteps)[number]
export type Step = (name: ImportStep) => Promise<void>
