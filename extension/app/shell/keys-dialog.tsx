import { CloseButton, Dialog } from '../components/dialog.tsx'
import { text } from './words.ts'

/** The keys, by where they hold. */
const groups = [
  ['everywhere', ['palette', 'keys', 'save', 'escape']],
  ['table', ['search', 'down', 'open', 'edit', 'select', 'range']],
  ['cell', ['enter', 'tab', 'leave']],
  ['item', ['beside']],
] as const

/** The keys of the app. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text('keys.title')} onClose={onClose}>
      {groups.map(([group, keys]) => (
        <section key={group} class="keys">
          <h3>{text(`keys.${group}`)}</h3>
          <dl>
            {keys.map((key) => (
              <div key={key}>
                <dt>
                  <kbd>{text(`keys.${key}.key`)}</kbd>
                </dt>
                <dd>{text(`keys.${key}.does`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <CloseButton onClose={onClose} />
    </Dialog>
  )
}
