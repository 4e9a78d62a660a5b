import { readFile } from 'node:fs/promises'
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
    runOnly ? { runOnly } : {},
  )
}

/** Fails on violations of accessibility rules, and on a page that scrolls sideways. `state` names it in the error. */
export async function expectAccessible(page: Page, state = page.url()): Promise<void> {
  expect(await violationsOn(page), state).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${state} scrolls sideways`).toBe(
    false,
  )
}
