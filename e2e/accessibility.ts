import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer'
import { expect } from 'vitest'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns violations of axe's rules, or of the tags or rules that `runOnly` names, each with its first element. The
 * page must bypass its content security policy if that allows no scripts.
 */
export async function violationsOn(
  page: Page,
  runOnly?: { type: 'rule' | 'tag'; values: string[] },
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(
    async (options) => {
      const { violations } = await Reflect.get(globalThis, 'axe').run(document, options)
      return violations.map((one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`)
    },
    // Nothing else is read, and working out what passed costs a sixth of the time.
    { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) },
  )
}

/** The rules that can differ between light and dark. */
export const aboutColors = ['color-contrast', 'link-in-text-block']

/**
 * Checks a screen in both color schemes like `expectAccessible`, in dark only what depends on colors. Takes pictures if
 * SCREENSHOTS names a folder.
 */
export async function expectAccessibleInBoth(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    if (scheme === 'light') await expectAccessible(page, name)
    else expect(await violationsOn(page, { type: 'rule', values: aboutColors }), `${name}, dark`).toEqual([])
    if (!process.env.SCREENSHOTS) continue
    await mkdir(process.env.SCREENSHOTS, { recursive: true })
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${scheme}.png` })
  }
}

/** Fails on violations of accessibility rules, and on a page that scrolls sideways. `state` names it in the error. */
export async function expectAccessible(page: Page, state = page.url()): Promise<void> {
  // The code of a screen comes when it is first shown.
  await page.waitForFunction(() => !document.querySelector('main:not([hidden])[aria-busy="true"]'))
  expect(await violationsOn(page), state).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${state} scrolls sideways`).toBe(
    false,
  )
}
