// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { down as depop } from '#extension/platforms/depop/down.ts'
import { down as mercari } from '#extension/platforms/mercari/down.ts'
import { down as poshmark } from '#extension/platforms/poshmark/down.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { closeScreen, context, dom, openPage, openPopup, reads, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { send } from '../host.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeScreen()
})

const attempt = (changes: Partial<NonNullable<ExtensionTask['attempt']>> = {}) => ({
  attempt_id: crypto.randomUUID(),
  begun_at: new Date(Date.now() - 60_000).toISOString(),
  ended_at: new Date(Date.now() - 40_000).toISOString(),
  pressed: ['Manage listing', 'Delete listing', 'Delete'],
  result: 'ended' as const,
  seen: null,
  ...changes,
})

/** Lets the worker open tabs, which a page of the server cannot. Returns the ids of the closed ones. */
function giveTabs(): number[] {
  const closed: number[] = []
  vi.spyOn(context, 'frontPage').mockResolvedValue('')
  vi.spyOn(context, 'openTab').mockResolvedValue(7)
  vi.spyOn(context, 'isTabOpen').mockResolvedValue(true)
  vi.spyOn(context, 'closeTab').mockImplementation(async (tab) => void closed.push(tab))
  return closed
}

describe('automatic take-downs', () => {
  it('are switched on after their page was read, and off again', async () => {
    const { user } = await openPage({ hash: '#takedowns' })
    await user.click(await dom.findByRole('link', { name: 'Turn on…, Depop' }))
    await dom.findByRole('heading', { name: 'Automatic take-downs on Depop' })
    await reads(/Depop’s terms forbid automated tools or may restrict them/)
    const link = dom.getByRole('link', { name: 'Depop’s rules' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      expect.stringMatching(/^https:\/\/depophelp\./),
      'noreferrer',
    ])
    const turnOn = dom.getByRole('button', { name: 'Turn on for Depop' })
    await user.click(turnOn)
    expect([location.hash, turnOn.getAttribute('aria-disabled')]).toEqual(['#takedowns/depop', 'true'])
    await user.click(dom.getByRole('checkbox'))
    await user.click(turnOn)
    await user.click(await dom.findByRole('button', { name: 'Turn off, Depop' }))
    await waitFor(() => expect(dom.getAllByText('Off. You end sold listings yourself.')).toHaveLength(3))
  })

  it.each([
    [
      'poshmark',
      poshmark.words.state?.choose.test('Not For Sale'),
      /sets the listing to “Not For Sale”.*it deletes the listing\./,
    ],
    ['mercari', mercari.words.deactivate?.test('Deactivate'), /It deactivates the listing\..*it deletes the listing\./],
    [
      'depop',
      !depop.words.deactivate && !depop.words.state,
      /It deletes the listing, because Depop cannot pause one\./,
    ],
  ] as const)('say on %s whether a listing can come back', async (platform, isSo, said) => {
    await openPage({ hash: `#takedowns/${platform}` })
    await reads(said)
    expect([isSo, dom.getByRole('checkbox').matches(':checked')]).toEqual([true, false])
  })

  it('log what was pressed and seen, in other browsers as well', async () => {
    const server = new StandInServer()
    server.tasks.push(
      sampleTask({ status: 'completed', title: 'Cream boots', attempt: attempt() }),
      sampleTask({ attempt: attempt({ pressed: [], result: 'unknown_dialog', seen: '<b>Promote</b> it?' }) }),
    )
    await openPage({ server, hash: '#takedowns' })
    await dom.findByRole('link', { name: 'Cream boots' })
    await reads('Pressed “Manage listing”, “Delete listing”, “Delete”. Took 20 seconds. In another browser.')
    await reads('Pressed nothing. The page showed “<b>Promote</b> it?”.')
    expect(dom.getByText('Stopped: an unknown question')).toBeTruthy()
  })

  it('that work show it in the popup, where one press stops them', async () => {
    const closed = giveTabs()
    const server = new StandInServer()
    const task = sampleTask()
    server.tasks.push(task)
    server.alerts.push(sampleAlert({ platform: 'depop', task_uid: task.uid }))
    const { user } = await openPopup({ server })
    await dom.findByText('Still live on Depop')
    await send('takeDowns.switch', { platform: 'depop', on: true })
    await dom.findByText('Ending “Wool coat, green” on Depop…')
    await user.click(dom.getByRole('button', { name: 'Stop' }))
    await dom.findByText(/Hapax tried to end it and stopped\./)
    expect([closed, task.attempt?.result, task.status]).toEqual([[7], 'stopped', 'open'])
    expect(dom.queryByText(/^Ending/)).toBeNull()
    expect(dom.getByRole('link', { name: 'See why' }).getAttribute('href')).toBe('/inventory.html#takedowns')
  })

  it('are switched off on the page of the shops', async () => {
    const { user } = await openPage({ hash: '#shops' })
    await dom.findByRole('heading', { name: 'Automatic take-downs' })
    await send('takeDowns.switch', { platform: 'mercari', on: true })
    await user.click(await dom.findByRole('button', { name: 'Turn off, Mercari' }))
    await waitFor(() => expect(dom.queryByRole('button', { name: 'Turn off, Mercari' })).toBeNull())
    expect(dom.getByRole('link', { name: 'Settings and log' }).getAttribute('href')).toBe('#takedowns')
  })
})
