import { type Choice, chooseCategory, choosePath, chooseSame, isCategoryTied } from '../sell-form/choose.ts'
import { chosen, left, type Result } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { close, press, shown, textField, textOf, waitFor, write } from '../sell-form/touch.ts'
import { plain } from '../sell-form/words.ts'

/** The button that opens the chooser of categories, which forms have since 2026. */
export const chooser = '[data-testid="SellCategoryFieldButton"]'

/** The search, the rows, and what is no category, in its dialog. */
const search = '[data-testid="CategorySearchInput"], input[placeholder*="search" i]'
const rows = '[data-testid="CategoryRow"], button, a, li, [role="button"], [role="option"], [role="radio"]'
const noCategory = /^(close|cancel|clear|back|done|×|all categories|suggested.*|select a category|category|)$/i

/** How long the next level may take, in ms. */
const levelInMs = 3_000

/** Most presses until the dialog is left. */
const maxTurns = 7

/**
 * Picks the category in the chooser's dialog, which closes with the last level: the row with all of it where one is
 * suggested, else level by level, else what the search finds.
 */
export async function fillCategoryInDialog(button: HTMLElement, draft: ListingDraft): Promise<Result> {
  const { category } = draft
  const wanted = category.join(' > ') || null
  const before = new Set(shownDialogs())
  const shows = () => textOf(button.isConnected ? button : (document.querySelector(chooser) ?? button))
  const shownBefore = shows()
  const dialog = () =>
    shownDialogs().find((one) => one.querySelector(search)) ?? shownDialogs().find((one) => !before.has(one))
  const labels = () => rowsIn(dialog()).map(textOf).join('\n')
  press(button)
  if (!(await waitFor(() => dialog() && rowsIn(dialog()).length > 0))) return left('no_field', wanted, button)
  const taken: string[] = []
  let [sure, isSearched] = [true, false]
  for (let turn = 0; turn < maxTurns && dialog(); turn++) {
    const [offered, now] = [rowsIn(dialog()), labels()]
    const names = offered.map(textOf)
    const path = choosePath(names, category, isSearched)
    // A level that was chosen stays as the way back to it.
    const levels = names.map((name) =>
      name.includes('>') || noCategory.test(name) || taken.includes(name) ? '' : name,
    )
    const choice = path ?? (isSearched ? null : chooseLevel(levels, draft, taken.length))
    const everything = shown('*', dialog()!).findLast((one) => /^all categories$/i.test(textOf(one)))
    const field = isSearched ? null : textField(search, dialog()!)
    if (choice) {
      sure &&= choice.sure
      taken.push(names[choice.index]!)
      press(offered[choice.index]!)
    } else if (turn === 0 && everything) press(everything)
    else if (field && category.length > 0) {
      isSearched = true
      await write(field, category.at(-1)!, { overwrite: true, leave: false })
    } else break
    if (!(await waitFor(() => !dialog() || (labels() !== now && labels() !== ''), levelInMs))) break
  }
  if (!dialog()) {
    const seen = await waitFor(() => plain(shows()).includes(plain(taken.at(-1)!)), levelInMs)
    return chosen({ sure, seen: Boolean(seen) }, button)
  }
  const leave = rowsIn(dialog()).find((one) =>
    /^(close|cancel|×)$/i.test(one.getAttribute('aria-label') ?? textOf(one)),
  )
  if (leave) press(leave)
  else await close(null, () => rowsIn(dialog()))
  return shows() === shownBefore ? left('no_option', wanted, button) : chosen({ sure: false, seen: true }, button)
}

/** Picks one level of a category, at the narrowest "Other" where nothing else fits, as one is required. */
export function chooseLevel(labels: string[], { category, title }: ListingDraft, level: number): Choice | null {
  const choice = chooseCategory(labels, category, title)
  if (choice || level < 2 || isCategoryTied(labels, category, title)) return choice
  const other = chooseSame(labels, 'Other')
  return other && { ...other, sure: false }
}

const shownDialogs = () => shown('[role="dialog"], dialog[open], [aria-modal="true"]')

/** Returns the rows and buttons of a dialog, each once: of two with the same words the inner one. */
function rowsIn(dialog: HTMLElement | undefined): HTMLElement[] {
  const found = dialog ? shown(rows, dialog) : []
  return found.filter(
    (one) => !found.some((other) => other !== one && one.contains(other) && textOf(other) === textOf(one)),
  )
}
