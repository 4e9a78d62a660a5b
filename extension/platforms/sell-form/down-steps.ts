/** The presses that end a listing, in their order. Each happens at most once. */
export const downSteps = ['edit', 'delete', 'confirm'] as const
export type DownStep = (typeof downSteps)[number]
