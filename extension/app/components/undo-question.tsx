import { ConfirmDialog } from './dialog.tsx'
import { text } from './words.ts'

/** From this many items or listings on, undoing is asked about first: nothing does it again. */
const askedFrom = 20

export const needsQuestion = (n: number): boolean => n >= askedFrom

/** Asks before many are undone. `ofImport`: their items leave the inventory. */
export function UndoQuestion(props: { n: number; ofImport?: boolean; onClose: () => void; onUndo: () => void }) {
  const { n } = props
  return (
    <ConfirmDialog
      title={text('undo.question', { n })}
      words={text(props.ofImport ? 'undo.question_import' : 'undo.question_text')}
      action={text('undo.go', { n })}
      isRisky
      onCancel={props.onClose}
      onAct={() => {
        props.onClose()
        props.onUndo()
      }}
    />
  )
}
