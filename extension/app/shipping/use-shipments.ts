import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { OperationAnswer } from '#extension/messaging/operations.ts'
import type { Shipment, Tracking } from '#shared/contract/selling/shipments.ts'
import { useLive } from '../hooks/use-live.ts'
import { call } from '../host.ts'

/** At most this many orders to ship are read. */
const mostOpen = 1_000
/** How often a marketplace that is being told is looked at, in ms. */
const lookMs = 2_000

interface Shipments {
  /** Orders to ship, with those that were marked on this screen in their places. Null until they are read. */
  open: Shipment[] | null
  shipped: Shipment[]
  more: boolean
  problem: string | null
  again: () => void
  readMore: () => void
  mark: (shipment: Shipment, tracking: Tracking) => Promise<void>
  undo: (shipment: Shipment) => Promise<void>
}

/** Reads what is to be shipped and what was. A row that is marked stays in its place, so that none slides under the pointer. */
export function useShipments(onChanged: () => void): Shipments {
  const [open, setOpen] = useState<Shipment[] | null>(null)
  const [shipped, setShipped] = useState<Shipment[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((before) => before + 1)
  const failed = (error: unknown) => setProblem(errorText(error))

  useEffect(() => {
    let stale = false
    const read = async () => {
      const found: Shipment[] = []
      let next: string | null = null
      do {
        const page: ShipmentPage = await readPage('to_ship', next)
        found.push(...page.results)
        next = page.next_cursor
      } while (next !== null && found.length < mostOpen)
      const sent = await readPage('shipped', null)
      if (stale) return
      setOpen((before) => inPlace(before, found, sent.results, marked))
      setShipped(sent.results)
      setCursor(sent.next_cursor)
      setProblem(null)
    }
    read().catch((error: unknown) => !stale && failed(error))
    return () => {
      stale = true
    }
  }, [turn])
  useLive((news) => (news.inventory || news.overview) && again())

  const isSending = [...(open ?? []), ...shipped].some(({ state }) => state === 'sending')
  useEffect(() => {
    if (!isSending) return
    const timer = setInterval(again, lookMs)
    return () => clearInterval(timer)
  }, [isSending])

  const replace = (changed: Shipment) => {
    setMarked((before) => new Set([...before, changed.order_uid]))
    const swap = (one: Shipment) => (one.order_uid === changed.order_uid ? changed : one)
    setOpen((before) => before?.map(swap) ?? before)
    setShipped((before) => before.map(swap))
    onChanged()
  }
  return {
    ...{ open, problem, again, more: cursor !== null },
    shipped: shipped.filter(({ order_uid }) => !(open ?? []).some((one) => one.order_uid === order_uid)),
    readMore() {
      readPage('shipped', cursor).then((page) => {
        setShipped((before) => [...before, ...page.results])
        setCursor(page.next_cursor)
      }, failed)
    },
    async mark(shipment, tracking) {
      replace(await call('markShipped', { params: { uid: shipment.order_uid }, body: { ...tracking } }))
    },
    async undo(shipment) {
      replace(await call('undoShipped', { params: { uid: shipment.order_uid } }))
      again()
    },
  }
}

/** Returns the orders to ship as read now, with those that were marked on this screen where they were. */
function inPlace(
  before: readonly Shipment[] | null,
  open: readonly Shipment[],
  shipped: readonly Shipment[],
  marked: ReadonlySet<string>,
): Shipment[] {
  const rows = [...open]
  for (const [place, { order_uid }] of (before ?? []).entries()) {
    if (!marked.has(order_uid) || rows.some((one) => one.order_uid === order_uid)) continue
    const now = shipped.find((one) => one.order_uid === order_uid)
    if (now) rows.splice(Math.min(place, rows.length), 0, now)
  }
  return rows
}

type ShipmentPage = OperationAnswer<'listShipments'>

const readPage = (state: 'to_ship' | 'shipped', cursor: string | null): Promise<ShipmentPage> =>
  call('listShipments', { query: { state, page_size: '100', ...(cursor !== null && { cursor }) } })
