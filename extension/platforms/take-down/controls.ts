import { shown, textOf } from '../sell-form/touch.ts'

/** Controls that a person can press. Sites add selectors for controls without a role. */
const controls =
  'button, a, summary, [role="button"], [role="link"], [role="menuitem"], [role="option"], input[type="submit"], input[type="button"]'

/** Open dialogs, which cover the page behind them. */
const dialogs =
  'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"], [data-test="modal-container"]'

/** Open menus, which may lie elsewhere in the page than their button. */
export const menus = '[role="menu"], [role="listbox"], select'

/** Returns the visible controls that can be pressed, and the options of native menus that can be chosen. */
export function pressable(extra: string, within: ParentNode = document): HTMLElement[] {
  const options = shown('select', within).flatMap((one) => [...one.querySelectorAll('option')])
  const others = options.filter((one) => !one.selected)
  return [...shown(extra ? `${controls}, ${extra}` : controls, within), ...others].filter(
    (one) => !one.closest(':disabled, [aria-disabled="true"], [inert]'),
  )
}

/** Returns the accessible name of a control. */
export function nameOf(control: Element): string {
  const labels = (control.getAttribute('aria-labelledby') ?? '')
    .split(/\s+/)
    .flatMap((id) => (id ? (document.getElementById(id) ?? []) : []))
  const value = control instanceof HTMLInputElement ? control.value : ''
  const name =
    labels.map(textOf).join(' ') ||
    control.getAttribute('aria-label') ||
    textOf(control) ||
    value ||
    control.querySelector('img[alt], [aria-label]')?.getAttribute('alt') ||
    control.querySelector('[aria-label]')?.getAttribute('aria-label') ||
    control.getAttribute('title')
  return (name ?? '').replace(/\s+/g, ' ').trim()
}

/** Returns the outermost open dialogs. A notice about cookies covers nothing. */
export function openDialogs(): HTMLElement[] {
  const open = shown(dialogs).filter((one) => textOf(one) !== '' || one.querySelector('iframe, input'))
  return open.filter(
    (one) => !open.some((other) => other !== one && other.contains(one)) && !/\bcookies?\b/i.test(textOf(one)),
  )
}

/** Returns true for a dialog that wants something typed or chosen. */
export const asksForMore = (dialog: Element): boolean =>
  shown('input:not([type=hidden]):not([type=submit]):not([type=button]), textarea, select', dialog).length > 0

/** Returns true while a page shows that it is loading. */
export function isLoading(): boolean {
  const signs = '[aria-busy="true"], [role="progressbar"], [class*="skeleton" i], [class*="spinner" i]'
  return document.readyState !== 'complete' || shown(signs).length > 0
}

/** Returns true if the page shows a check for humans. The invisible ones of sell forms have no such frame. */
export function showsChallenge(within: ParentNode = document): boolean {
  const frames =
    '#px-captcha, #challenge-form, .h-captcha, iframe[title*="challenge" i], iframe[src*="challenges.cloudflare.com"], iframe[src*="captcha-delivery"], iframe[src*="hcaptcha.com"], iframe[src*="recaptcha/api2/bframe"]'
  if (shown(frames, within).length > 0) return true
  return shown('h1, h2, h3, legend, label', within).some((one) => {
    return /\b(are you (a )?(human|robot)|(you are|you’re|you're) (not a robot|(a )?human)|security check|press (&|and) hold|just a moment)\b/i.test(
      textOf(one),
    )
  })
}

/** Returns true if the page or dialog asks to sign in. */
export function asksToSignIn(within: ParentNode = document): boolean {
  if (shown('input[type="password"]', within).length > 0) return true
  return shown('h1, h2, h3', within).some((one) => /^(please )?(log|sign) ?in\b/i.test(textOf(one)))
}
