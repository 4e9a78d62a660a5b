import { describe, expect, it } from 'vitest'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { collectNeeds, countNeeds, countUrgent } from './count-needs.ts'
import type { Overview } from './overview.ts'

const overview = (given: Partial<Overview>): Overview =>
  ({ alerts: [], tasks: [], platforms: [], imports: [], unanswered: {}, checks: {}, ...given }) as unknown as Overview
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

describe('the list of needs', () => {
  it('begins with the most urgent, and of those with the oldest', () => {
    const lost = sampleAlert({ kind: 'connection_lost', urgency: 70 })
    const twice = sampleAlert({ kind: 'oversell', urgency: 50 })
    const older = sampleAlert({ urgency: 40, platform: 'poshmark', since: minutesAgo(9) })
    const newer = sampleAlert({ urgency: 40, since: minutesAgo(1) })
    const ended = sampleAlert({ urgency: 40, since: minutesAgo(20), ended_said_at: minutesAgo(2) })
    const canceled = sampleAlert({ kind: 'relist_offer', urgency: 25 })
    const { alerts } = collectNeeds(overview({ alerts: [ended, newer, canceled, twice, older, lost] }))
    expect(alerts).toEqual([lost, twice, older, newer, ended, canceled])
  })

  it('lists take-downs before orders to cancel and items to list', () => {
    const [list, cancel, down] = [
      sampleTask({ kind: 'list' }),
      sampleTask({ kind: 'cancel_order' }),
      sampleTask({ kind: 'delist' }),
    ]
    expect(collectNeeds(overview({ tasks: [list, cancel, down] })).tasks).toEqual([down, cancel, list])
  })

  it('puts the oldest danger first, of whatever kind', () => {
    const newer = sampleAlert({ kind: 'oversell', urgency: 50, since: minutesAgo(1) })
    const older = sampleAlert({ kind: 'oversell', urgency: 50, since: minutesAgo(9) })
    expect(collectNeeds(overview({ alerts: [newer, older] })).alerts).toEqual([older, newer])
  })

  it('has one row for what imports ask about, and one for findings', () => {
    const row = { phase: 'done', counts: { to_look_at: 3 } } as Overview['imports'][number]
    expect(countNeeds(overview({ imports: [row, row, row], checks: { listed_twice: 2, price_differs: 4 } }))).toBe(2)
  })

  it('leaves out findings that an alert speaks of', () => {
    const alerts = [sampleAlert({ platform: 'poshmark' }), sampleAlert({ platform: 'depop' })]
    expect(collectNeeds(overview({ alerts, checks: { sold_live: 2 } })).findings).toEqual([])
    expect(collectNeeds(overview({ checks: { sold_live: 2 } })).findings).toEqual([{ kind: 'sold_live', n: 2 }])
  })

  it('counts alerts of money at risk as urgent', () => {
    const alerts = [sampleAlert(), sampleAlert({ platform: 'depop' }), sampleAlert({ kind: 'relist_offer' })]
    expect(countUrgent(overview({ alerts, tasks: [sampleTask({ kind: 'list' })] }))).toBe(2)
  })
})
