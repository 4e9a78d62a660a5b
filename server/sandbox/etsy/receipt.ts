import type { SandboxListing } from './listing.ts'

/** An order in the sandbox's market; Etsy calls it a receipt. */
export interface SandboxReceipt {
  receiptId: number
  shopId: number
  /** Written as in Etsy's real answers. */
  status: ReceiptStatus
  /** Epoch seconds. */
  created: number
  updated: number
  paid: number | null
  shipped: number | null
  /** Parcels with their tracking. A receipt that was marked as shipped only has none. */
  shipments?: SandboxShipment[]
  /** The buyer's words; by default the same on each receipt. */
  note?: string | null
  /** Epoch seconds; by default three days after the purchase. */
  shipBy?: number
  currency: string
  divisor: number
  lines: SandboxReceiptLine[]
  /** Amounts in the smallest unit of the divisor. */
  refunds: { amount: number; created: number; reason: string }[]
}

interface SandboxShipment {
  id: number
  /** Epoch seconds. */
  notified: number
  carrier: string
  tracking: string
}

export type ReceiptStatus =
  | 'Open'
  | 'Payment Processing'
  | 'Paid'
  | 'Completed'
  | 'Canceled'
  | 'Fully Refunded'
  | 'Partially Refunded'
  // No status of Etsy's document.
  | 'On Hold'

interface SandboxReceiptLine {
  transactionId: number
  listingId: number
  title: string
  sku: string
  /** The price of one unit. */
  amount: number
  quantity: number
}

/** Units of a listing to buy. `listing` is from before the sale, so that the line shows the product that was taken. */
export interface Purchase {
  listing: SandboxListing
  quantity: number
}

/** Holds all receipts with their earlier versions, for reads with a lag. */
export function createReceipts(options: {
  clock: () => Date
  kept: SandboxReceipt[]
  onChange: (receipts: SandboxReceipt[]) => void
}) {
  const { clock } = options
  const versions = new Map<number, { fromMs: number; receipt: SandboxReceipt }[]>()
  for (const receipt of options.kept) versions.set(receipt.receiptId, [{ fromMs: 0, receipt }])
  const seconds = () => Math.floor(clock().getTime() / 1_000)
  const latest = () => [...versions.values()].map((known) => known.at(-1)!.receipt)
  const put = (receipt: SandboxReceipt): SandboxReceipt => {
    const now = clock().getTime()
    const known = (versions.get(receipt.receiptId) ?? []).slice(-20)
    versions.set(receipt.receiptId, [...known, { fromMs: now, receipt }])
    options.onChange(latest())
    return receipt
  }
  const existing = (receiptId: number): SandboxReceipt => {
    const receipt = versions.get(receiptId)?.at(-1)?.receipt
    if (!receipt) throw new Error(`The sandbox Etsy has no receipt ${receiptId}.`)
    return receipt
  }
  const revise = (receiptId: number, revision: Partial<SandboxReceipt>) =>
    put({ ...existing(receiptId), updated: seconds(), ...revision })

  return {
    make(
      shopId: number,
      purchases: Purchase[],
      { isPaid, status }: { isPaid: boolean; status: ReceiptStatus | undefined },
    ): SandboxReceipt {
      const receiptId = 3_300_000_001 + versions.size
      const { currency, divisor } = purchases[0]!.listing
      const lines = purchases.map(({ listing, quantity }, index) => {
        const product = listing.products.find((entry) => entry.isEnabled && entry.quantity > 0) ?? listing.products[0]!
        return {
          transactionId: receiptId * 10 + index,
          listingId: listing.listingId,
          title: listing.title,
          sku: product.sku,
          amount: product.amount,
          quantity,
        }
      })
      const now = seconds()
      return put({
        ...{ receiptId, shopId, currency, divisor, lines, created: now, updated: now, shipped: null, refunds: [] },
        ...(isPaid ? { status: status ?? 'Paid', paid: now } : { status: status ?? 'Payment Processing', paid: null }),
      })
    },

    find: (receiptId: number) => versions.get(receiptId)?.at(-1)?.receipt,
    pay: (receiptId: number) => revise(receiptId, { status: 'Paid', paid: seconds() }),
    /** Ships a receipt, with a label bought on Etsy by default; `null` only marks it as shipped. */
    ship(receiptId: number, parcel?: Pick<SandboxShipment, 'carrier' | 'tracking'> | null): SandboxReceipt {
      const { shipments = [] } = existing(receiptId)
      const given = parcel === undefined ? { carrier: 'usps', tracking: `SANDBOX${receiptId}` } : parcel
      const added = given && { id: receiptId * 10 + shipments.length, notified: seconds(), ...given }
      return revise(receiptId, {
        ...{ status: 'Completed', shipped: seconds() },
        shipments: added ? [...shipments, added] : shipments,
      })
    },
    /** Marks a receipt as not shipped, as its seller can on Etsy. */
    unship: (receiptId: number) => revise(receiptId, { status: 'Paid', shipped: null, shipments: [] }),
    /** Sets what the buyer wrote. */
    write: (receiptId: number, note: string | null) => revise(receiptId, { note }),
    cancel: (receiptId: number) => revise(receiptId, { status: 'Canceled' }),
    /**
     * Refunds the amount given, or all of it. The time of change stays: "the receipt object itself doesn't change"
     * (github.com/etsy/open-api, issues 513 and 604).
     */
    refund(receiptId: number, amount?: number): SandboxReceipt {
      const receipt = existing(receiptId)
      const refunds = [
        ...receipt.refunds,
        { amount: amount ?? totalOf(receipt), created: seconds(), reason: 'Account Adjustment' },
      ]
      const back = refunds.reduce((sum, refund) => sum + refund.amount, 0)
      return put({ ...receipt, status: back >= totalOf(receipt) ? 'Fully Refunded' : 'Partially Refunded', refunds })
    },
    /** Changes the date to ship by, which does not move the time of change (issue 232: "intentional"). */
    postpone: (receiptId: number, shipBy: number) => put({ ...existing(receiptId), shipBy }),
    /** Changes the update time only, as a note would. */
    touch: (receiptId: number) => revise(receiptId, {}),

    /** Returns a shop's receipts as they were `lagMs` ago. */
    ofShop(shopId: number, lagMs: number): SandboxReceipt[] {
      const at = clock().getTime() - lagMs
      return [...versions.values()].flatMap((known) => {
        const seen = lagMs === 0 ? known.at(-1) : known.findLast(({ fromMs }) => fromMs <= at)
        return seen && seen.receipt.shopId === shopId ? [seen.receipt] : []
      })
    },
  }
}

/** Returns the price of all lines. */
export function totalOf({ lines }: SandboxReceipt): number {
  return lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0)
}
