// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { closeScreen, dom, openPage } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

it('folds the prices of marketplaces without a shop and without a rule', async () => {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.settings.price_rules = { depop: { basis_points: 500, rounding: 'none' } }
  await openPage({ server, hash: '#choices' })
  await dom.findByRole('textbox', { name: 'Percent, eBay' })
  const isFolded = (name: string) =>
    dom.getByLabelText(`Percent, ${name}`).closest('details')?.textContent?.startsWith('Other marketplaces') ?? false
  expect(['eBay', 'Etsy', 'Poshmark', 'Mercari', 'Depop'].map(isFolded)).toEqual([false, true, true, true, false])
})
