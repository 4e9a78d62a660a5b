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
  const repeated = await page.evaluateHandle(repeatedElements)
  return page.evaluate(
    async (exclude, options) => {
      const { violations } = await Reflect.get(globalThis, 'axe').run({ exclude }, options)
      return violations.map((one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`)
    },
    repeated,
    // Nothing else is read, and working out what passed costs a sixth of the time.
    { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) },
  )
}

/**
 * Returns the elements that repeat two others in the same place with other words: the same tags, classes, roles and states.
 * They break the same rules, and the rows of long lists took most of axe's time.
 */
function repeatedElements(): Element[] {
  const numbers = new Map<string, string>()
  const shapes = new Map<Element, string>()
  /** Attributes whose values neither a rule nor a style depends on. */
  const words =
    /^(id|href|src|srcset|alt|title|for|name|value|data-.*|aria-(label|labelledby|describedby|controls|owns|activedescendant|posinset|rowindex))$/
  const ownShape = (element: Element) => {
    const attributes = [...element.attributes].map(
      ({ name, value }) =>
        // Rows of a table have their places there.
        `${name}=${words.test(name) ? value === '' : value.replace(/[\d.]+px/g, '')}`,
    )
    return `${element.tagName} ${attributes} ${(element as HTMLInputElement).checked}`
  }
  const measure = (element: Element): string => {
    const parts = [...element.childNodes].map((node) =>
      node instanceof Element ? measure(node) : node.textContent?.trim() ? 'text' : '',
    )
    const shape = `${ownShape(element)} ${parts}`
    if (!numbers.has(shape)) numbers.set(shape, String(numbers.size))
    shapes.set(element, numbers.get(shape)!)
    return numbers.get(shape)!
  }
  measure(document.body)
  const isInView = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return Number(bottom > 0 && top < innerHeight)
  }
  const counts = new Map<string, number>()
  const repeated: Element[] = []
  const visit = (parent: Element, path: string) => {
    const below = `${path} > ${ownShape(parent)}`
    // Rather those that are seen.
    for (const child of [...parent.children].sort((one, other) => isInView(other) - isInView(one))) {
      const key = `${below} > ${shapes.get(child)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      // Two of them are checked, since styles may alternate.
      if (counts.get(key)! > 2) repeated.push(child)
      else visit(child, below)
    }
  }
  visit(document.body, '')
  return repeated
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
