import { Camera, ImagePlus } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { photoTypes } from '../upload-photo.ts'
import { usePhotoUploads } from './use-photo-uploads.ts'

/** Adds photos from files, the camera, the clipboard, or by dropping them here, and shows those under way. */
export function PhotoUpload(props: {
  onUploaded: (address: string) => void
  onUploading: (isUploading: boolean) => void
}) {
  const { uploads, isUploading, add, retry, drop } = usePhotoUploads(props.onUploaded)
  const [isOver, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  useEffect(() => {
    props.onUploading(isUploading)
    return () => props.onUploading(false)
  }, [isUploading])
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const pasted = picturesOf(event.clipboardData?.files)
      if (pasted.length > 0) add(pasted)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
  const chosen = (input: HTMLInputElement) => {
    add([...(input.files ?? [])])
    // The same file can be chosen again after it was removed.
    input.value = ''
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the buttons inside.
    <div
      class={isOver ? 'photo-drop over' : 'photo-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add(picturesOf(event.dataTransfer?.files))
      }}
    >
      <div class="photo-sources">
        <button type="button" onClick={() => files.current?.click()}>
          <ImagePlus size={16} aria-hidden="true" />
          {text('photos.choose')}
        </button>
        <button type="button" class="touch-only" onClick={() => camera.current?.click()}>
          <Camera size={16} aria-hidden="true" />
          {text('photos.camera')}
        </button>
        <span class="soft pointer-only">{text('photos.drop')}</span>
      </div>
      <input
        ref={files}
        id="photo-files"
        type="file"
        hidden
        multiple
        accept={photoTypes}
        onChange={(event) => chosen(event.currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept={photoTypes}
        capture="environment"
        onChange={(event) => chosen(event.currentTarget)}
      />
      <div role="status">
        {uploads.length > 0 && (
          <ul class="photo-uploads">
            {uploads.map(({ key, file, problem }) => (
              <li key={key}>
                {problem === null ? (
                  <span>{text('photos.uploading', { name: file.name })}</span>
                ) : (
                  <>
                    <span class="wrong">{text('photos.failed', { name: file.name, reason: problem })}</span>
                    <button type="button" onClick={() => retry(key)}>
                      {text('photos.retry')}
                    </button>
                    <button type="button" onClick={() => drop(key)}>
                      {text('photos.leave_out')}
                    </button>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** Returns the photos among some files. Browsers know no type of HEIC, whose refusal says what to do. */
export function picturesOf(files: FileList | undefined | null): File[] {
  return [...(files ?? [])].filter(({ type, name }) => type.startsWith('image/') || /\.hei[cf]$/i.test(name))
}
