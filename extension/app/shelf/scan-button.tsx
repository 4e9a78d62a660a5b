import { ScanBarcode } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Lazy } from '../components/lazy.tsx'
import { useHost } from '../host.ts'
import { text } from './words.ts'

/** Scans a product code with the camera. `onCode` returns false for a code of another kind. Nothing where no camera is offered. */
export function ScanButton({ onCode }: { onCode: (code: string) => boolean }) {
  const { camera } = useHost()
  const [isOpen, setOpen] = useState(false)
  if (!camera) return null
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ScanBarcode size={16} aria-hidden="true" /> {text('scan.barcode')}
      </button>
      {isOpen && (
        <Dialog title={text('scan.barcode_title')} onClose={() => setOpen(false)}>
          <Lazy within="div" load={camera} given={{ onCode: (code: string) => onCode(code) && setOpen(false) }} />
        </Dialog>
      )}
    </>
  )
}
