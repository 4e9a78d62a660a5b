// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest'
import { closeScreen, dom, openPage, reads } from '#extension/testing/screen.tsx'

afterEach(async () => {
  await closeScreen()
  delete document.documentElement.dataset.hapaxExtension
})

const offers = () => dom.queryAllByRole('link', { name: 'Get extension' }).length
const closets = () => dom.queryAllByRole('link', { name: /^Open, / }).map((one) => one.getAttribute('aria-label'))
const announced = () => {
  document.documentElement.dataset.hapaxExtension = ''
  document.dispatchEvent(new Event('hapax-extension'))
}

describe.each(['#shops', '#home'])('the offer of the extension at %s', (hash) => {
  it('is made in a browser without it', async () => {
    await openPage({ hash, isWeb: true })
    await reads('These need the browser extension')
    expect([offers(), closets()]).toEqual([1, []])
  })

  it('goes away when the extension announces itself', async () => {
    await openPage({ hash, isWeb: true })
    await reads('These need the browser extension')
    announced()
    await reads(hash === '#shops' ? 'Open your shop and press' : 'Open your closet there and press')
    expect(offers()).toBe(0)
    expect(document.body.textContent).not.toContain('These need the browser extension')
  })

  it('is not made where the extension has announced itself before', async () => {
    announced()
    await openPage({ hash, isWeb: true })
    await reads(hash === '#shops' ? 'Open your shop and press' : 'Open your closet there and press')
    expect(offers()).toBe(0)
  })
})

it('leads to the closets where the extension is', async () => {
  announced()
  await openPage({ hash: '#shops', isWeb: true })
  await reads('Open your shop and press')
  expect(closets()).toEqual(['Open, Poshmark', 'Open, Mercari', 'Open, Depop'])
})
