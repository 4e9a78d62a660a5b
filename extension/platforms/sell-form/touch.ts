import type { Choice } from './choose.ts'
import { plain } from './words.ts'

/** How often the page is looked at while something is waited for, and how long, in milliseconds. */
const lookEveryMs = 60
const timeoutMs = 3_000

/** How long a menu must not have grown to be taken for whole. */
const settledMs = 100

export type TextField = HTMLInputElement | HTMLTextAreaElement

/** True for what a person could see. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
}

/** The elements of a selector that a person could see. */
export function shown(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)].filter(isShown)
}

/** The first of them. */
export function one(selector: string, within: ParentNode = document): HTMLElement | null {
  return shown(selector, within)[0] ?? null
}

/** The text field that a selector means: itself, inside of it, or what it is the label of. */
export function textField(selector: string, within: ParentNode = document): TextField | null {
  for (const found of shown(selector, within)) {
    const inner = found instanceof HTMLLabelElement ? found.control : found
    const field = isTextField(inner) ? inner : found.querySelector('input, textarea')
    if (isTextField(field) && isShown(field)) return field
  }
  return null
}

function isTextField(element: unknown): element is TextField {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

/**
 * Waits until `find` finds something; null when it did not in time. It is asked again whenever the page changes, and now
 * and then: what a field holds, and what a style sheet hides, change without the page's elements changing.
 */
export function waitFor<T>(find: () => T | null | undefined | false, ms = timeoutMs): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let lookedAt = Number.NEGATIVE_INFINITY
    const observer = new MutationObserver(() => {
      // A page that never rests is not looked at more often than it is drawn.
      if (performance.now() - lookedAt > 16) look()
    })
    const ticker = setInterval(look, lookEveryMs)
    const timer = setTimeout(() => {
      look()
      finish(null)
    }, ms)
    function look(): void {
      lookedAt = performance.now()
      try {
        const found = find()
        if (found) finish(found)
      } catch (error) {
        reject(error)
        finish(null)
      }
    }
    function finish(found: T | null): void {
      observer.disconnect()
      clearInterval(ticker)
      clearTimeout(timer)
      resolve(found)
    }
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
    look()
  })
}

/** Presses as a pointer does: some menus open when it goes down. */
export function press(element: HTMLElement): void {
  const pointed = { bubbles: true, cancelable: true, composed: true, button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...pointed, isPrimary: true, pointerType: 'mouse' }))
  element.dispatchEvent(new MouseEvent('mousedown', pointed))
  element.focus({ preventScroll: true })
  element.dispatchEvent(new PointerEvent('pointerup', { ...pointed, isPrimary: true, pointerType: 'mouse' }))
  element.dispatchEvent(new MouseEvent('mouseup', pointed))
  element.click()
}

/** True when a field holds a text, or one that `same` calls the same. */
type Same = (held: string, wanted: string) => boolean
const sameText: Same = (held, wanted) => held.replace(/\r\n?/g, '\n').trim() === wanted.trim()

/** The same amount, whatever signs the field adds to it. */
export const sameAmount: Same = (held, wanted) => {
  const digits = held.replace(/[^\d.]/g, '')
  return digits !== '' && Number(digits) === Number(wanted)
}

/**
 * Writes into a text field and says whether it holds that then. What somebody else wrote there is not touched: `kept`.
 * Fields that format as one types take it in one piece, or as if it were typed.
 */
export async function write(
  field: TextField,
  text: string,
  { same = sameText, overwrite = false, leave = true }: { same?: Same; overwrite?: boolean; leave?: boolean } = {},
): Promise<'written' | 'kept' | 'refused'> {
  if (same(field.value, text)) return 'written'
  if (!overwrite && /[\p{L}\p{N}]/u.test(field.value) && !isZero(field.value)) return 'kept'
  field.focus({ preventScroll: true })
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data: text }))
  let holds = await waitFor(() => same(field.value, text), 4 * lookEveryMs)
  if (!holds) {
    field.select()
    // The only way to type as a person does; the page hears the browser's own events.
    document.execCommand('insertText', false, text)
    holds = await waitFor(() => same(field.value, text), 4 * lookEveryMs)
  }
  field.dispatchEvent(new Event('change', { bubbles: true }))
  if (leave) field.blur()
  return holds && same(field.value, text) ? 'written' : 'refused'
}

function isZero(value: string): boolean {
  const digits = value.replace(/[^\p{L}\p{N}.]/gu, '')
  return digits !== '' && Number(digits) === 0
}

/** Puts files into a file field, in order. */
export function attach(field: HTMLInputElement, files: readonly File[]): void {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  field.files = transfer.files
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

export interface Menu {
  /** What opens it; null: it is open. */
  opener: HTMLElement | null
  options: () => HTMLElement[]
  labelOf?: (option: HTMLElement) => string
  choose: (labels: string[]) => Choice | null
  /** How long options may take to come. */
  timeoutMs?: number
  /**
   * The words where the form shows what was chosen; left out: those of the opener and of what is around it. `later`: the
   * form does not show it before something else is done, so that it is not looked for.
   */
  shows?: (() => string) | 'later'
}

/** What was chosen. `seen`: the form shows it since. */
export type Picked = Choice & { label: string; seen: boolean }

/** How long a form may take to show what was chosen. */
const showsInMs = 800

/**
 * Opens a menu and presses the option that `choose` chooses, once it is there. Null: the menu offers none of what is
 * wanted, and is closed again. `no_menu`: nothing opened.
 */
export async function pick(menu: Menu): Promise<Picked | null | 'no_menu'> {
  const { opener, options, choose } = menu
  const labelOf = menu.labelOf ?? textOf
  if (opener instanceof HTMLSelectElement) return pickNative(opener, choose)
  if (opener && options().length === 0) press(opener)
  let seen = 0
  let since = 0
  let offered: HTMLElement[] = []
  const choice = await waitFor(() => {
    offered = options()
    if (offered.length !== seen) since = performance.now()
    seen = offered.length
    // Half of a menu may hold one of two that are alike: it is judged when it no longer grows.
    const settled = seen > 0 && performance.now() - since >= settledMs
    return settled && choose(offered.map(labelOf))
  }, menu.timeoutMs)
  if (choice) {
    const option = offered[choice.index]!
    const picked = { ...choice, label: labelOf(option) }
    const words = plain(textOf(option))
    const before = opener && plain(heldBy(opener))
    press(innermost(option))
    if (menu.shows === 'later') return { ...picked, seen: true }
    const shows = menu.shows ?? (() => shownBy(opener, options()))
    const isSeen = () => {
      if (plain(shows()).includes(words)) return true
      // A closed menu may show less of an option than the open one.
      const now = opener && plain(heldBy(opener))
      return Boolean(now) && now !== before && words.startsWith(now!)
    }
    return { ...picked, seen: Boolean(await waitFor(isSeen, showsInMs)) }
  }
  if (seen === 0) return 'no_menu'
  await close(opener, options)
  return null
}

/** What is written in an element and in its fields. */
function heldBy(element: HTMLElement): string {
  const fields = [element, ...element.querySelectorAll('input')]
  return [textOf(element), ...fields.map((one) => (one instanceof HTMLInputElement ? one.value : ''))].join(' ')
}

/** What the form shows as chosen: in the opener, or beside it where the menu does not stand there as well. */
function shownBy(opener: HTMLElement | null, options: readonly HTMLElement[]): string {
  const around = opener?.parentElement
  if (!opener || !around) return ''
  return options.some((option) => around.contains(option)) ? heldBy(opener) : heldBy(around)
}

/** A link or button inside an option hears the press where the option itself may not. */
export function innermost(option: HTMLElement): HTMLElement {
  return option.querySelector<HTMLElement>('a, button, label') ?? option
}

function pickNative(select: HTMLSelectElement, choose: Menu['choose']): Picked | null {
  const options = [...select.options].filter((option) => !option.disabled && option.value !== '')
  const choice = choose(options.map((option) => option.label))
  if (!choice) return null
  const option = options[choice.index]!
  select.value = option.value
  select.dispatchEvent(new Event('input', { bubbles: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
  return { ...choice, label: option.label, seen: true }
}

/** Closes a menu as a person does, if it does not by itself. */
export async function close(opener: HTMLElement | null, options: () => HTMLElement[]): Promise<void> {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }))
  if (opener && !(await waitFor(() => options().length === 0, 3 * lookEveryMs))) press(opener)
}

/** The text of an element, each run of white space as one space. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim()
}

/** Where a page asks again; what is behind it cannot be pressed. */
const dialogs =
  'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"], [data-test="modal-container"]'

/** A button or link with one of these words, and nothing else, on it: in a dialog that is open, else in the page. */
export function buttonSaying(words: RegExp): HTMLElement | null {
  const all = shown('button, a, [role="button"], [role="menuitem"], input[type="submit"]').filter((one) => {
    return words.test(one instanceof HTMLInputElement ? one.value.trim() : textOf(one))
  })
  return all.find((one) => one.closest(dialogs)) ?? all[0] ?? null
}
