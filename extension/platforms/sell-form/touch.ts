import type { Choice } from './choose.ts'
import { plain } from './words.ts'

/** Polling interval and timeout of `waitFor`, in ms. */
const lookEveryMs = 60
const timeoutMs = 3_000

/** Looks that no timeout cuts short: where tabs get few turns, those of the page itself are late, too. */
const leastLooks = 10

/** A menu that has not grown for this long is complete, in ms. */
const stableMs = 100

export type TextField = HTMLInputElement | HTMLTextAreaElement

/** Returns true for an element that a person can see. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
}

/** Returns the visible elements of a selector. */
export function shown(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)].filter(isShown)
}

/** Returns the first visible element of a selector. */
export function one(selector: string, within: ParentNode = document): HTMLElement | null {
  return shown(selector, within)[0] ?? null
}

/** Returns the visible text field that the selector matches, contains, or labels. */
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
 * Waits until `find` returns a value, or null after the timeout. Runs on DOM changes and at intervals, because field
 * values and styles change without DOM mutations.
 */
export function waitFor<T>(find: () => T | null | undefined | false, ms = timeoutMs): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let lookedAt = Number.NEGATIVE_INFINITY
    const observer = new MutationObserver(() => {
      // Check at most once per frame on pages that change constantly.
      if (performance.now() - lookedAt > 16) look()
    })
    const endMs = performance.now() + ms
    let looksLeft = Math.min(leastLooks, Math.ceil(ms / lookEveryMs))
    const ticker = setInterval(() => {
      look()
      if (--looksLeft <= 0 && performance.now() >= endMs) finish(null)
    }, lookEveryMs)
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
      resolve(found)
    }
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
    look()
  })
}

/** Presses an element with pointer events, because some menus open on pointerdown. Chooses an option of a native menu. */
export function press(element: HTMLElement): void {
  if (element instanceof HTMLOptionElement) {
    choose(element)
    return
  }
  const pointed = { bubbles: true, cancelable: true, composed: true, button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...pointed, isPrimary: true, pointerType: 'mouse' }))
  element.dispatchEvent(new MouseEvent('mousedown', pointed))
  element.focus({ preventScroll: true })
  element.dispatchEvent(new PointerEvent('pointerup', { ...pointed, isPrimary: true, pointerType: 'mouse' }))
  element.dispatchEvent(new MouseEvent('mouseup', pointed))
  element.click()
}

/** Compares a field's value with the wanted one. */
type Same = (held: string, wanted: string) => boolean
const sameText: Same = (held, wanted) => held.replace(/\r\n?/g, '\n').trim() === wanted.trim()

/** Compares amounts, ignoring the currency signs that a field adds. */
export const sameAmount: Same = (held, wanted) => {
  const digits = held.replace(/[^\d.]/g, '')
  return digits !== '' && Number(digits) === Number(wanted)
}

/**
 * Writes into a text field and checks the result. Returns `kept` if the field has a value of the seller's. Fields that
 * reject a whole value get it as typed text.
 */
export async function write(
  field: TextField,
  text: string,
  { same = sameText, overwrite = false, leave = true }: { same?: Same; overwrite?: boolean; leave?: boolean } = {},
): Promise<'written' | 'kept' | 'refused'> {
  if (same(field.value, text)) return 'written'
  const isTaken = typed.has(field) || (!overwrite && !isZero(field.value))
  if (isTaken && /[\p{L}\p{N}]/u.test(field.value)) return 'kept'
  field.focus({ preventScroll: true })
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data: text }))
  let holds = await waitFor(() => same(field.value, text), 4 * lookEveryMs)
  if (!holds) {
    field.select()
    // This is the only way to fire the browser's own typing events. Masks append to what is not deleted first.
    document.execCommand('delete')
    document.execCommand('insertText', false, text)
    holds = await waitFor(() => same(field.value, text), 4 * lookEveryMs)
  }
  field.dispatchEvent(new Event('change', { bubbles: true }))
  if (leave) field.blur()
  return holds && same(field.value, text) ? 'written' : 'refused'
}

/** Fields that the seller typed into, which keep their value. */
const typed = new WeakSet<EventTarget>()

/** Notes the seller's own typing until the returned function is called. Pages can synthesize keys, and do not count. */
export function noteTyping(): () => void {
  const note = ({ isTrusted, target }: Event) => void (isTrusted && target && typed.add(target))
  document.addEventListener('keydown', note, { capture: true })
  return () => document.removeEventListener('keydown', note, { capture: true })
}

function isZero(value: string): boolean {
  const digits = value.replace(/[^\p{L}\p{N}.]/gu, '')
  return digits !== '' && Number(digits) === 0
}

/** Attaches files to a file field, in order. */
export function attach(field: HTMLInputElement, files: readonly File[]): void {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  field.files = transfer.files
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

export interface Menu {
  /** The element that opens the menu. Null: the menu is open. */
  opener: HTMLElement | null
  options: () => HTMLElement[]
  labelOf?: (option: HTMLElement) => string
  choose: (labels: string[]) => Choice | null
  /** How long the options may take to load, in ms. */
  timeoutMs?: number
  /**
   * Returns the text where the form shows the choice. Default: the text in and around the opener. `later`: the form
   * shows the choice only after a further step, so it is not checked.
   */
  shows?: (() => string) | 'later'
}

/** The chosen option. `seen`: the form shows it. */
type Picked = Choice & { label: string; seen: boolean }

/** How long a form may take to show the choice, in ms. */
const showsInMs = 800

/**
 * Opens a menu and presses the option that `choose` selects. Returns null, with the menu closed, if no option fits.
 * Returns `no_menu` if no menu opened.
 */
export async function pick(menu: Menu): Promise<Picked | null | 'no_menu'> {
  const { opener, options, choose } = menu
  const labelOf = menu.labelOf ?? textOf
  const native = opener && nativeMenu(opener)
  if (native) return pickNative(native, choose, menu.timeoutMs)
  if (opener && options().length === 0) press(opener)
  let seen = 0
  let since = 0
  let offered: HTMLElement[] = []
  const choice = await waitFor(() => {
    offered = options()
    if (offered.length !== seen) since = performance.now()
    seen = offered.length
    // A partial menu may lack one of two equal options, so wait until it stops growing.
    const isComplete = seen > 0 && performance.now() - since >= stableMs
    return isComplete && choose(offered.map(labelOf))
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
      // A closed menu may show less text than its open option.
      const now = opener && plain(heldBy(opener))
      return Boolean(now) && now !== before && words.startsWith(now!)
    }
    return { ...picked, seen: Boolean(await waitFor(isSeen, showsInMs)) }
  }
  if (seen === 0) return 'no_menu'
  await close(opener, options)
  return null
}

function nativeMenu(element: HTMLElement): HTMLSelectElement | null {
  return element instanceof HTMLSelectElement ? element : element.querySelector('select')
}

/** Returns the choice that a menu's button or a native menu shows. */
export function choiceOf(element: HTMLElement): string {
  const native = nativeMenu(element)
  if (!native) return textOf(element)
  return native.value === '' ? '' : [...native.selectedOptions].map(textOf).join()
}

/** Returns the text of an element and of its input fields. */
function heldBy(element: HTMLElement): string {
  const fields = [element, ...element.querySelectorAll('input')]
  return [textOf(element), ...fields.map((one) => (one instanceof HTMLInputElement ? one.value : ''))].join(' ')
}

/** Returns the displayed choice: in the opener, or around it if the menu is elsewhere. */
function shownBy(opener: HTMLElement | null, options: readonly HTMLElement[]): string {
  const around = opener?.parentElement
  if (!opener || !around) return ''
  return options.some((option) => around.contains(option)) ? heldBy(opener) : heldBy(around)
}

/** Returns the link or button inside an option, because some options ignore clicks themselves. */
export function innermost(option: HTMLElement): HTMLElement {
  return option.querySelector<HTMLElement>('a, button, label') ?? option
}

async function pickNative(select: HTMLSelectElement, choice: Menu['choose'], ms?: number): Promise<Picked | null> {
  const options = () => [...select.options].filter((option) => !option.disabled && option.value !== '')
  const found = await waitFor(() => choice(options().map(textOf)), ms)
  const option = found && options()[found.index]
  if (!option) return null
  choose(option)
  return {
    ...found,
    label: textOf(option),
    seen: Boolean(await waitFor(() => select.value === option.value, showsInMs)),
  }
}

function choose(option: HTMLOptionElement): void {
  const select = option.closest('select')
  if (!select) return
  select.value = option.value
  select.dispatchEvent(new Event('input', { bubbles: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Closes a menu with Escape, or by pressing its opener. */
export async function close(opener: HTMLElement | null, options: () => HTMLElement[]): Promise<void> {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }))
  if (opener && !(await waitFor(() => options().length === 0, 3 * lookEveryMs))) press(opener)
}

/** Returns an element's text with collapsed white space. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim()
}
