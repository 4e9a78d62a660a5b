import { text } from '#extension/i18n/text.ts'
import { Dialog } from './dialog.tsx'

/** From this many items or listings on, undoing is asked about first: nothing does it again. */
const askedFrom = 20

export const needsQuestion = (n: number): boolean => n >= askedFrom

/** Asks before many are undone. `ofImport`: their items leave the inventory. */
export function UndoQuestion(props: { n: number; ofImport?: boolean; onClose: () => void; onUndo: () => void }) {
  const { n } = props
  return (
    <Dialog title={text('undo.question', { n })} onClose={props.onClose}>
      <p>{text(props.ofImport ? 'undo.question_import' : 'undo.question_text')}</p>
      <div class="buttons">
        <button type="button" class="main" onClick={props.onClose}>
          {text('bulk.cancel')}
        </button>
        <button
          type="button"
          onClick={() => {
            props.onClose()
            props.onUndo()
          }}
        >
          {text('undo.go', { n })}
        </button>
      </div>
    </Dialog>
  )
}
