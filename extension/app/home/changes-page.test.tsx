// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { newId } from '#shared/identity.ts'
import { offerUndo } from '../components/undo-toast.tsx'

afterEach(closeScreen)

const now = new Date().toISOString()
const change = (kind: Change['kind'], count: number): Change => ({
  ...{ uid: newId('chg'), kind, count, title: 'Coat', image: null, inventory_item_uid: null },
  ...{ marketplace: 'ebay', at: now, expires_at: now, can_undo: true, undone_at: null },
})

/** A server with changes to undo, and those that were undone. */
function withChanges(...changes: Change[]) {
  const server = new StandInServer()
  const undone: (string | undefined)[] = []
  server.answers.set('listChanges', () => ({ count: changes.length, results: changes }))
  server.answers.set('undoChange', ({ params }) => {
    undone.push(params.uid)
    return { change: change('change_price', 1), undone: 1, kept: 0 }
  })
  return { server, undone }
}

describe('undoing', () => {
  it.each([
    ['import_job', /^These items leave your inventory/],
    ['change_price', /^Each goes back to what it was/],
  ] as const)('many at once is asked about first: %s', async (kind, consequence) => {
    const { server, undone } = withChanges(change(kind, 260))
    const { user } = await openPage({ server, hash: '#changes' })
    await user.click(await dom.findByRole('button', { name: /^Undo, / }))
    dom.getByRole('dialog', { name: 'Undo all 260 changes?' })
    dom.getByText(consequence)
    await user.click(dom.getByRole('button', { name: 'Cancel' }))
    expect(undone).toEqual([])
    await user.click(dom.getByRole('button', { name: /^Undo, / }))
    await user.click(dom.getByRole('button', { name: 'Undo all 260' }))
    await waitFor(() => expect(undone).toHaveLength(1))
  })

  it('a few acts at once', async () => {
    const { server, undone } = withChanges(change('change_price', 19))
    const { user } = await openPage({ server, hash: '#changes' })
    await user.click(await dom.findByRole('button', { name: /^Undo, / }))
    await waitFor(() => expect(undone).toHaveLength(1))
    // Where it moves no other row's button under the pointer.
    expect((await dom.findByText('Undone')).closest('.toast')).toBeTruthy()
  })

  it('says why some cannot be undone', async () => {
    const { server } = withChanges(change('withdraw', 1))
    const reason = 'Hapax did not publish this listing and does not know its category.'
    server.answers.set('undoChange', () => ({ change: change('withdraw', 1), undone: 2, kept: 1, reason }))
    const { user } = await openPage({ server, hash: '#changes' })
    await user.click(await dom.findByRole('button', { name: /^Undo, / }))
    await dom.findByText(`2 undone, 1 not. ${reason}`)
  })

  it('says of an undone sale that ended listings stay ended', async () => {
    const { server } = withChanges(change('mark_sold', 1))
    server.answers.set('undoChange', () => ({ change: change('mark_sold', 1), undone: 1, kept: 0 }))
    const { user } = await openPage({ server, hash: '#changes' })
    await user.click(await dom.findByRole('button', { name: /^Undo, / }))
    await dom.findByText('Undone. Listings that ended stay ended until you list them again.')
  })

  it('says in a toast why an undo failed, so that no row moves', async () => {
    const { server } = withChanges(change('withdraw', 1))
    server.faults.push({ operation: 'undoChange', code: 'network', times: 1 })
    const { user } = await openPage({ server, hash: '#changes' })
    await user.click(await dom.findByRole('button', { name: /^Undo, / }))
    expect((await dom.findByText(/^The server does not answer/)).closest('.toast')).toBeTruthy()
  })

  it('many from the toast, or by its key, is asked about first', async () => {
    const { server, undone } = withChanges()
    const { user } = await openPage({ server, hash: '#home' })
    offerUndo('54 listings linked', newId('chg'), 54)
    await user.click(await dom.findByRole('button', { name: 'Undo' }))
    await user.click(await dom.findByRole('button', { name: 'Undo all 54' }))
    await waitFor(() => expect(undone).toHaveLength(1))
    await dom.findByText('Undone')
  })
})
