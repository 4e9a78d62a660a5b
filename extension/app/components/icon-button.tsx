import type { LucideIcon } from 'lucide-preact'
import type { JSX } from 'preact'

/** A button that shows an icon. Screen readers read its label. */
export function IconButton(
  props: Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'label' | 'ref' | 'icon'> & {
    icon: LucideIcon
    label: string
    size?: number
  },
) {
  const { icon: Icon, label, size = 16, ...button } = props
  return (
    <button type="button" class="icon" aria-label={label} {...button}>
      <Icon size={size} aria-hidden="true" />
    </button>
  )
}
