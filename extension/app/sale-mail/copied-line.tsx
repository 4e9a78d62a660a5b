import { useState } from 'preact/hooks'
import { text } from './words.ts'

/** A line to use elsewhere, with a button that copies it. `name`: what it is, for screen readers. */
export function CopiedLine({ line, name }: { line: string; name: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <p class="copied-line">
      <code class="whole grow">{line}</code>
      <button
        type="button"
        aria-label={`${text(copied ? 'copied' : 'copy')}: ${name}`}
        onClick={() => void navigator.clipboard.writeText(line).then(() => setCopied(true))}
      >
        {text(copied ? 'copied' : 'copy')}
      </button>
    </p>
  )
}
