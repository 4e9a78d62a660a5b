import { useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { text } from './words.ts'

/** Shows a secret that the server tells once. */
export function SecretDialog(props: { secret: string; title?: string; words?: string; onClose: () => void }) {
  const { secret, title = text('secret.title'), words = text('secret.text'), onClose } = props
  const [copied, setCopied] = useState(false)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{words}</p>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <div class="buttons">
        <button type="button" onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}>
          {text(copied ? 'secret.copied' : 'secret.copy')}
        </button>
        <button type="button" class="main" onClick={onClose}>
          {text('close')}
        </button>
      </div>
    </Dialog>
  )
}
