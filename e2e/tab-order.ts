import type { Page } from 'puppeteer'
import { expect } from 'vitest'

/** More presses of Tab than any screen needs. */
const most = 150

/**
 * Presses Tab once around a page or its open dialog. Checks that every visible control is reached, in page order and
 * with visible focus, and returns their names.
 */
export async function tabThrough(page: Page, state: string): Promise<string[]> {
  await page.evaluate(() => {
    const scope = document.querySelector('dialog[open]') ?? document
    const all = [
      ...scope.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ]
    // Tab reaches the chosen one of several radio buttons, and the first one where none is. Arrow keys reach the others.
    const isReached = (one: HTMLElement) => {
      if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return true
      const group = all.filter(
        (other) => other instanceof HTMLInputElement && other.name === one.name,
      ) as HTMLInputElement[]
      return one === (group.find(({ checked }) => checked) ?? group[0])
    }
    const wanted = all.filter(
      (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility() && isReached(one),
    )
    for (const one of document.querySelectorAll('[data-stop]')) one.removeAttribute('data-stop')
    for (const [index, one] of wanted.entries()) one.dataset.stop = String(index)
    // From the beginning, wherever the focus was.
    const start = document.createElement('span')
    start.tabIndex = -1
    ;(scope === document ? document.body : (scope as HTMLElement)).prepend(start)
    start.focus()
    start.remove()
  })
  const reached: { stop: string | undefined; name: string; seen: boolean }[] = []
  for (let press = 0; press < most; press++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate(() => {
      const at = document.activeElement
      if (!(at instanceof HTMLElement) || at === document.body || at.tagName === 'DIALOG') return null
      const { outlineStyle, outlineWidth } = getComputedStyle(at)
      const box = at.getBoundingClientRect()
      const inSight = box.bottom > 0 && box.top < innerHeight && box.width > 0
      const name = at.ariaLabel ?? (at instanceof HTMLInputElement ? at.name : at.textContent)
      return {
        stop: at.dataset.stop,
        name: name?.trim() ?? '',
        seen: outlineStyle !== 'none' && outlineWidth !== '0px' && inSight,
      }
    })
    if (!now || (now.stop !== undefined && now.stop === reached[0]?.stop)) break
    reached.push(now)
  }
  const wanted = await page.$$eval('[data-stop]', (all) => all.map((one) => one.getAttribute('data-stop')))
  expect(
    reached.map((one) => one.stop),
    `${state}: ${reached.map((one) => one.name).join(' | ')}`,
  ).toEqual(wanted)
  expect(
    reached.filter((one) => !one.seen).map((one) => one.name),
    `${state}: without a visible focus`,
  ).toEqual([])
  return reached.map((one) => one.name)
}
