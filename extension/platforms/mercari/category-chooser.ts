import { type Choice, chooseCategory, chooseSame, isCategoryTied } from '../sell-form/choose.ts'
import { check, chosen, left, type Result } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { close, innermost, one, press, shown, textOf, waitFor } from '../sell-form/touch.ts'
import { plain } from '../sell-form/words.ts'

/** The button that opens the chooser of categories, which forms have since 2026, and what is no category in it. */
export const chooser = '[data-testid="SellCategoryFieldButton"]'
const noCategory = /^(close|cancel|back|done|all categories|clear|×|suggested.*|select a category|category|)$/i

/** How long the next level may take, in ms. */
const levelInMs = 1_500

/** Picks the category level by level in the chooser's dialog, which closes with the last. */
export async function fillCategoryInDialog(button: HTMLElement, draft: ListingDraft): Promise<Result> {
  const { category, title } = draft
  const wanted = category.join(' > ') || null
  const dialog = () => one('[role="dialog"], dialog[open]')
  const entries = () => shown('button, [role="button"], [role="option"], li, [role="radio"]', dialog() ?? button)
  const options = () => entries().filter((one) => !noCategory.test(textOf(one)) && one !== button)
  const labels = () => options().map(textOf).join('\n')
  press(button)
  if (!(await waitFor(() => dialog() && entries().length > 0))) return left('no_field', wanted, button)
  let [sure, depth, last] = [true, 0, '']
  for (let turn = 0; turn < 6 && dialog(); turn++) {
    const offered = options()
    const before = labels()
    const names = offered.map(textOf)
    const other = depth >= 2 && !isCategoryTied(names, category, title) ? lastResort(names) : null
    const choice = chooseCategory(names, category, title) ?? other
    const everything = shown('*', dialog() ?? button).findLast((one) => /^all categories$/i.test(textOf(one)))
    if (!choice && (turn > 0 || !everything)) break
    press(choice ? innermost(offered[choice.index]!) : everything!)
    if (choice) [sure, depth, last] = [sure && choice.sure, depth + 1, names[choice.index]!]
    if (!(await waitFor(() => !dialog() || (options().length > 0 && labels() !== before), levelInMs))) break
  }
  if (!dialog()) return chosen({ sure, seen: plain(textOf(button)).includes(plain(last)) }, button)
  const leave = entries().find((one) => /^(close|cancel|×)$/i.test(one.getAttribute('aria-label') ?? textOf(one)))
  if (leave) press(leave)
  else await close(null, options)
  return last === '' ? left('no_option', wanted, button) : check('no_option', button)
}

/** Returns "Other" for the narrowest level, which is required. */
export function lastResort(labels: string[]): Choice | null {
  const other = chooseSame(labels, 'Other')
  return other && { ...other, sure: false }
}
