/** Every point at which tests crash an import, in order. */
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
