// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { closeScreen, dom, openPage, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

it('opens the form of an item that the seller lists by hand', async () => {
  const server = new StandInServer()
  server.inventory.push(sampleItem(0, { listings: [] }))
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const { user } = await openPage({ server, hash: `#item/${server.inventory[0]!.uid}` })
  await user.click(await dom.findByRole('button', { name: 'List on…' }))
  const dialog = within(dom.getByRole('dialog'))
  await user.click(dialog.getByRole('checkbox', { name: /^Poshmark/ }))
  const url = 'https://poshmark.com/create-listing'
  const { uid } = server.inventory[0]!
  const task = sampleTask({ kind: 'list', platform: 'poshmark', inventory_item_uid: uid, url })
  server.selling.tasks.push(task)
  await user.click(await dialog.findByRole('button', { name: 'List 1 item' }))
  await waitFor(() => expect(open.mock.calls.map(([address]) => address)).toEqual([`${url}#${task.uid}`]))
  await waitFor(() => expect(dom.queryByRole('dialog')).toBeNull())
})
