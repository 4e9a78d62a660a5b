import type { Page } from 'puppeteer'
import { stepTimeoutMs } from './timeouts.ts'

/** How long one try waits for an element to be still, in view and enabled. Another page may have replaced it meanwhile. */
const tryMs = stepTimeoutMs / 6

/**
 * Presses the first element that a selector finds. A page that grows moves it away between the look and the press, so
 * a press that reaches something else is repeated. Throws with what the page shows.
 */
export async function press(page: Page, selector: string): Promise<void> {
  const untilMs = performance.now() + stepTimeoutMs
  const tries: string[] = []
  while (performance.now() < untilMs) {
    const reached = await pressOnce(page, selector).catch((error: unknown) => String(error))
    if (reached === null) return
    tries.push(reached)
  }
  const shown = await page.evaluate(() => document.body.innerText)
  throw new Error(`${selector} was not pressed at ${page.url()}.\n${tries.join('\n')}\nThe page shows:\n${shown}`)
}

/** Presses an element once. Returns null, or what was reached instead. */
async function pressOnce(page: Page, selector: string): Promise<string | null> {
  const element = await page.waitForSelector(selector, { visible: true, timeout: tryMs })
  const press = await element!.evaluateHandle((element) => {
    const press = { reached: 'nothing' as string | null }
    const note = ({ target }: Event) => {
      const other = target as Element
      press.reached = element.contains(other) ? null : other.outerHTML.slice(0, 200)
    }
    addEventListener('click', note, { capture: true, once: true })
    return press
  })
  try {
    await element!.asLocator().setTimeout(tryMs).click()
  } catch (cause) {
    const state = await element!.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const above = document.elementFromPoint(x + width / 2, y + height / 2)
      const [box, isDisabled] = [[x, y, width, height].map(Math.round), element.hasAttribute('disabled')]
      return { isThere: element.isConnected, isDisabled, box, above: above?.outerHTML.slice(0, 200) }
    })
    return `${cause} ${JSON.stringify(state)}`
  }
  // A press that leaves the page ends what could tell.
  return press.evaluate(({ reached }) => reached).catch(() => null)
}
