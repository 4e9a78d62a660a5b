// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

function twoItems(): StandInServer {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(2))
  server.inventory[0]!.attributes.storage_location = 'B-2'
  server.inventory[1]!.attributes.storage_location = 'A-10'
  return server
}

describe('an item that is not on its shelf', () => {
  it('is paused by three presses on its page, with undo', async () => {
    const server = twoItems()
    const item = server.inventory[0]!
    const { user } = await openPage({ server, hash: `#item/${item.uid}` })
    await user.click(await dom.findByRole('button', { name: 'More' }))
    await user.click(await dom.findByRole('button', { name: 'Pause or missing…' }))
    await user.click(await dom.findByRole('button', { name: 'Mark 1 item missing' }))
    await dom.findByText(/^1 missing, paused\. Ending on /)
    expect(item.record.lifecycle.state).toBe('withdrawn')
    expect(dom.getByRole('button', { name: 'Undo' })).toBeTruthy()
    await dom.findByRole('button', { name: 'Put back on sale…' })
  })
})

describe('the shelf check', () => {
  it('is off Home at first, asks for items by their places, and leaves Home when it is done', async () => {
    const server = twoItems()
    const { user } = await openPage({ server, hash: '#home' })
    await dom.findByRole('heading', { name: 'Shops' })
    expect(dom.queryByRole('link', { name: 'Shelf check' })).toBeNull()
    location.hash = 'shelf'
    const places = (await dom.findAllByText(/^[AB]-\d+$/)).map((one) => one.textContent)
    expect(places.slice(-2)).toEqual(['A-10', 'B-2'])
    await user.click(dom.getByRole('checkbox', { name: 'Remind me on Home of this device' }))
    location.hash = 'home'
    // The day before, which the page replaces by today.
    await dom.findByRole('link', { name: 'Shelf check' })
    localStorage.setItem('shelf.check', JSON.stringify({ day: '2026-11-01', uids: [], seen: [] }))
    await user.click(await dom.findByRole('link', { name: 'Shelf check' }))
    // Pressed at once, before the page could do anything after its first picture.
    const first = await dom.findByRole('button', { name: `Here, ${server.inventory[1]!.record.title}` })
    first.focus()
    first.click()
    const next = { name: `Here, ${server.inventory[0]!.record.title}` }
    await waitFor(() => expect(document.activeElement).toBe(dom.getByRole('button', next)))
    await user.click(await dom.findByRole('button', { name: `Not here, ${server.inventory[0]!.record.title}` }))
    const done = await dom.findByText('Done for today')
    expect(document.activeElement).toBe(done)
    expect(server.inventory.map(({ record }) => record.lifecycle.state)).toEqual(['withdrawn', 'available'])
    location.hash = 'home'
    await dom.findByRole('heading', { name: 'Shops' })
    expect(dom.queryByRole('link', { name: 'Shelf check' })).toBeNull()
  })

  it('is done when its last item is sold meanwhile, and where nothing is on sale', async () => {
    const server = twoItems()
    const { user } = await openPage({ server, hash: '#shelf' })
    await user.click(await dom.findByRole('checkbox', { name: 'Remind me on Home of this device' }))
    await user.click(await dom.findByRole('button', { name: `Here, ${server.inventory[1]!.record.title}` }))
    location.hash = `#item/${server.inventory[0]!.uid}`
    await user.click(await dom.findByRole('button', { name: 'More' }))
    await user.click(await dom.findByRole('button', { name: 'Pause or missing…' }))
    await user.click(await dom.findByRole('button', { name: 'Mark 1 item missing' }))
    await dom.findByText(/^1 missing, paused\. Ending on /)
    location.hash = 'shelf'
    await dom.findByText('Done for today')
    location.hash = 'home'
    await dom.findByRole('heading', { name: 'Shops' })
    expect(dom.queryByRole('link', { name: 'Shelf check' })).toBeNull()
  })
})
