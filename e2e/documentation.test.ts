import { readdirSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { settingsFiles } from '../.tools/settings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

describe('the documentation', () => {
  it.each(pages)('links from %s only to existing files', async (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"/g)].map(
      ([, link, source]) => link ?? source!,
    )
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    const missing: string[] = []
    for (const link of local) await access(join(root, dirname(page), link)).catch(() => missing.push(link))
    expect(missing).toEqual([])
  })

  it.each(pages)('shows in %s the names that linked files have', (page) => {
    const links = [...textOf(page).matchAll(/\[`?([\w./-]+\.(?:tsx?|sql|mjs))`?\]\(([^)#\s]+)/g)]
    expect(links.filter(([, label, link]) => basename(label!) !== basename(link!)).map(([link]) => link)).toEqual([])
  })

  it('welcomes a newcomer in fewer than 500 words', () => {
    expect(textOf('README.md').split(/\s+/).length).toBeLessThan(500)
  })

  it.each(settingsFiles())('shows every setting with its default in $path (npm run settings)', ({ path, text }) => {
    expect(textOf(path)).toBe(text)
  })

  it('lets operators start from an example that changes nothing', () => {
    const set = textOf('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(set).toEqual([])
  })

  it.each(['docs/threats.md', 'docs/faults.md'])('names a test for every row of %s', (page) => {
    const rows = textOf(page)
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Attack|Invariant|Component) \|/.test(line))
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter((row) => !row.includes('.test.ts)') && !row.includes('by construction'))).toEqual([])
  })
})
