/**
 * The steps that end a listing. `reload` loads a page again that stays half loaded, `open` goes to the list of the
 * seller's listings, and `more` loads more of them. `dismiss` closes a tip, `menu` opens a menu, `edit` leads to the edit
 * form, and `choose` selects a listing or its new state. `delete` asks the marketplace to end it, and `confirm` answers
 * its question.
 */
export const downSteps = ['reload', 'open', 'more', 'dismiss', 'menu', 'edit', 'choose', 'delete', 'confirm'] as const
export type DownStep = (typeof downSteps)[number]

/** How often each step may happen for one listing. Some marketplaces ask twice. */
const limits: Record<DownStep, number> = {
  ...{ reload: 1, open: 1, more: 30, dismiss: 3, menu: 3 },
  ...{ edit: 1, choose: 1, delete: 1, confirm: 2 },
}

/** Returns true if a step may follow the earlier ones. Only a confirmation follows what ends a listing. */
export function mayFollow(step: DownStep, done: readonly DownStep[]): boolean {
  if (done.filter((one) => one === step).length >= limits[step]) return false
  return step === 'confirm' ? done.includes('delete') : !done.includes('delete')
}
