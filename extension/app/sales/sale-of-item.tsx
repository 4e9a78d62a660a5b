import { useState } from 'preact/hooks'
import type { Sale } from '#shared/contract/selling/sales.ts'
import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { CostsDialog } from './costs-dialog.tsx'
import { SaleRows } from './sale-rows.tsx'
import { text } from './words.ts'

/** The sale of an item, with its costs; nothing before it is known. */
export function SaleOfItem({ uid }: { uid: string }) {
  const request = useRequest(`sale of ${uid}`, () => call('listSales', { query: { inventory_item_uid: uid } }))
  const [editing, setEditing] = useState<Sale | null>(null)
  if (request.state !== 'ready' || request.value.results.length === 0) return null
  return (
    <section class="part" aria-labelledby="sale">
      <h2 id="sale">{text('sales.of_item')}</h2>
      <SaleRows onItem sales={request.value.results} onEdit={setEditing} />
      {editing && (
        <CostsDialog
          sale={editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null)
            request.again()
          }}
        />
      )}
    </section>
  )
}
