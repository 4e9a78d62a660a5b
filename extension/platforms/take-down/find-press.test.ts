// @vitest-environment happy-dom
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simulateLayout } from '#extension/testing/simulated-layout.ts'
import { down as depop } from '../depop/down.ts'
import { down as mercari } from '../mercari/down.ts'
import { down as poshmark } from '../poshmark/down.ts'
import { findPress, newSession } from './find-press.ts'
import type { DownStep } from './steps.ts'

simulateLayout()

interface Expected {
  path: string
  done: DownStep[]
  /** Neither this nor a result: the page has to be waited for. */
  press?: { step: DownStep; word: string; selector: string }
  result?: string
}

const slug = 'sample-wool-coat-1a2b'
const sites = {
  poshmark: { site: poshmark, listing_id: '65f000000000000000000001', url: 'https://poshmark.com/listing/x' },
  mercari: { site: mercari, listing_id: 'm11111111111', url: 'https://www.mercari.com/us/item/m11111111111/' },
  depop: { site: depop, listing_id: '4711', url: `https://www.depop.com/products/${slug}/` },
}

describe.each(Object.entries(sites))('a page of %s', (name, { site, ...listing }) => {
  const folder = join(import.meta.dirname, '..', name, 'fixtures/take-down')
  const pages = globSync('*.html', { cwd: folder }).map((file) => basename(file, '.html'))

  it.each(pages)('has the expected press: %s', (page) => {
    const expected = JSON.parse(readFileSync(join(folder, `${page}.expected.json`), 'utf8')) as Expected
    document.body.innerHTML = readFileSync(join(folder, `${page}.html`), 'utf8')
    const found = findPress(site, listing, expected.path, newSession(expected.done))
    if (expected.press) {
      const { step, word, selector } = expected.press
      expect(found).toMatchObject({ step, word, alone: true })
      expect(found && 'element' in found && found.element === document.querySelector(selector)).toBe(true)
    } else expect(found && 'result' in found ? found.result : found).toBe(expected.result ?? null)
  })
})
