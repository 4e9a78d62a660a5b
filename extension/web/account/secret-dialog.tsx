import { useState } from 'preact/hooks'
import { accountText as text } from '#extension/i18n/account-text.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'

/** Shows a secret that the server tells once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false)
  return (
    <Dialog title={text('secret.title')} onClose={onClose}>
      <p>{text('secret.text')}</p>
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
