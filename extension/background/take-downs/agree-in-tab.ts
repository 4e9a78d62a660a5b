import type { Browser } from 'webextension-polyfill'
import { nativeQuestion } from '#extension/platforms/take-down/find-press.ts'

/** How long a page agrees after a press, in ms. Its own question comes at once. */
const agreesForMs = 3_000

/**
 * Has a tab's page agree for a moment if it asks in the browser's own dialog whether to end the listing. To other
 * questions the answer is no, as browsers give it for a tab in the background, where they show no dialog.
 */
export async function agreeInTab({ scripting }: Pick<Browser, 'scripting'>, tab: number): Promise<void> {
  const { ends, others } = nativeQuestion
  const script = { target: { tabId: tab }, world: 'MAIN' as const, func: agree, args: [ends, others, agreesForMs] }
  // A tab that has closed meanwhile asks nothing.
  await scripting.executeScript(script).catch(() => null)
}

/** Runs in the page, so it can use nothing of this file. */
function agree(ends: string, others: string, ms: number): void {
  const { confirm, alert } = window
  const [asksToEnd, asksOther] = [new RegExp(`(?:${ends})`, 'i'), new RegExp(`(?:${others})`, 'i')]
  window.confirm = (text = '') => asksToEnd.test(text) && !asksOther.test(text)
  window.alert = () => {}
  setTimeout(() => Object.assign(window, { confirm, alert }), ms)
}
