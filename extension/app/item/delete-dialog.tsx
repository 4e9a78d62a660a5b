import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { platformNames } from '../common/platform-names.ts'
import { Dialog } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { text } from './words.ts'

/** Confirms that an item is deleted. A listed item says where its listings have to end first. */
export function DeleteDialog(props: { row: InventoryRow; onClose: () => void; onDeleted: () => void }) {
  const { row } = props
  const { busy, problem, act } = useAction()
  const live = livePlatforms(row)
  const go = () =>
    act('delete', async () => {
      await send('inventory.delete', { uid: row.uid })
      props.onDeleted()
    })
  return (
    <Dialog title={text('delete.title')} onClose={props.onClose}>
      <p class="whole">
        {live.length > 0
          ? text('delete.live', { platforms: platformNames(live) })
          : text('delete.text', { title: row.title })}
      </p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div class="buttons">
        <button type="button" onClick={props.onClose}>
          {text(live.length > 0 ? 'close' : 'cancel')}
        </button>
        {live.length === 0 && (
          <button type="button" class="main" aria-disabled={busy !== null} onClick={() => void go()}>
            {text('delete.go')}
          </button>
        )}
      </div>
    </Dialog>
  )
}
