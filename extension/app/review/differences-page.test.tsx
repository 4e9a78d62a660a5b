// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import type { Difference, decideDifferences } from '#shared/contract/catalog/differences.ts'
import type { Input } from '#shared/contract/declaring/route.ts'
import { newId } from '#shared/identity.ts'

afterEach(closeScreen)

const now = new Date().toISOString()

function differs(field: Difference['field'], mine: string, theirs: string): Difference {
  return {
    ...{ uid: newId('dif'), inventory_item_uid: newId('inv'), item_title: `${field} of a coat`, item_image: null },
    ...{ marketplace: 'ebay', listing_url: 'https://www.ebay.com/itm/1', field, mine, theirs },
    ...{ mine_currency: null, theirs_currency: null, mine_photos: null, theirs_photos: null },
    ...{ state: 'open', noticed_at: now, can_overwrite: true, cannot_overwrite_reason: null },
  }
}

/** A server with three differences. Decided ones leave its list, and come back with an undo. */
function withDifferences() {
  const server = new StandInServer()
  const { differences, answers } = server
  differences.push(
    differs('title', 'Wool coat', 'Wool coat, restored'),
    differs('description', 'Green', 'Only on eBay.'),
    differs('title', 'Silk dress', 'Silk gown'),
  )
  const all = [...differences]
  const decided: Input<typeof decideDifferences>['body'][] = []
  const change = (count: number): Change => ({
    ...{ uid: newId('chg'), kind: 'ignore_difference', count, title: 'Wool coat', image: null },
    ...{ inventory_item_uid: null, marketplace: null, at: now, expires_at: now, undone_at: null, can_undo: true },
  })
  answers.set('decideDifferences', ({ body }) => {
    const given = body as (typeof decided)[number]
    decided.push(given)
    differences.splice(0, 99, ...differences.filter(({ uid }) => !given.differences.includes(uid)))
    return { change: change(given.differences.length), done: given.differences.length, left: [] }
  })
  answers.set('undoChange', () => {
    const undone = all.length - differences.length
    differences.splice(0, 99, ...all)
    return { change: change(undone), undone, kept: 0 }
  })
  return { server, all, decided }
}

const cards = () => dom.queryAllByRole('checkbox', { name: /^Select: / }).length
const undo = () => dom.getByRole('button', { name: 'Undo' })

it('marks what differs in each value', async () => {
  await openPage({ server: withDifferences().server, hash: '#differences' })
  await waitFor(() => expect(cards()).toBe(3))
  const marks = [...document.querySelectorAll('mark')].map((mark) => mark.textContent)
  expect(marks).toContainEqual(expect.stringMatching(/, restored$/))
})

it('offers no way to adopt what an item cannot take', async () => {
  const { server } = withDifferences()
  const why = { can_overwrite: false, cannot_overwrite_reason: 'not_supported' } as const
  server.differences.splice(0, 99, { ...differs('condition', 'Used', 'Used, good'), ...why })
  await openPage({ server, hash: '#differences' })
  await dom.findByText('Condition')
  await dom.findByText('Hapax cannot change this on eBay.')
  const buttons = dom.getAllByRole('button', { name: /condition of a coat/ }).map(({ textContent }) => textContent)
  expect(buttons).toEqual(['Ignore'])
})

it('ignores the selected ones and undoes it', async () => {
  const { server, all, decided } = withDifferences()
  const { user } = await openPage({ server, hash: '#differences' })
  await user.click(await dom.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(dom.getByRole('button', { name: 'Ignore 3' }))
  await dom.findByText('3 differences ignored')
  await dom.findByRole('heading', { name: 'Nothing to decide' })
  expect(decided).toEqual([{ action: 'ignore', differences: expect.arrayContaining(all.map(({ uid }) => uid)) }])
  await user.click(undo())
  await dom.findByText('Undone')
  await waitFor(() => expect(cards()).toBe(3))
})

it('is worked off by keys', async () => {
  const { server, all, decided } = withDifferences()
  const { user } = await openPage({ server, hash: '#differences' })
  await waitFor(() => expect(cards()).toBe(3))
  await user.keyboard('j')
  expect(document.activeElement?.closest('li')?.textContent).toContain('Only on eBay.')
  await user.keyboard('x')
  expect(dom.getByText('1 selected')).toBeTruthy()
  await user.keyboard('i')
  await dom.findByText('1 difference ignored')
  expect(cards()).toBe(2)
  // Ends the row of quick keys, which would be a scanner's.
  await user.keyboard('{F2}')
  await user.keyboard('u')
  await dom.findByText('Undone')
  await waitFor(() => expect(cards()).toBe(3))
  await user.keyboard('k')
  await user.keyboard('t')
  await dom.findByText('1 detail of an item changed')
  expect(decided).toEqual([
    { action: 'ignore', differences: [all[1]!.uid] },
    { action: 'adopt', differences: [all[0]!.uid] },
  ])
})
