import { Camera, ImagePlus } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fieldId } from './field-id.ts'
import { text } from './form-words.ts'
import { isPhoto, photoTypes } from './upload-photo.ts'

/** Takes photos from files, the camera, the clipboard, or by dropping them here. */
export function PhotoSources(props: {
  wrong?: string | null
  onFiles: (files: File[]) => void
  children?: preact.ComponentChildren
}) {
  const wrongId = `${fieldId('images')}-wrong`
  const [isOver, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const latest = useRef(props.onFiles)
  latest.current = props.onFiles
  const add = (given: File[]) => given.length > 0 && latest.current(given)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => add(picturesOf(event.clipboardData?.files))
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
        {/* The form focuses a field with a problem by its id. */}
        <button
          type="button"
          id={fieldId('images')}
          aria-describedby={props.wrong ? wrongId : undefined}
          onClick={() => files.current?.click()}
        >
          <ImagePlus size={16} aria-hidden="true" />
          {text('photos.choose')}
        </button>
        <button type="button" class="touch-only" onClick={() => camera.current?.click()}>
          <Camera size={16} aria-hidden="true" />
          {text('photos.camera')}
        </button>
        <span class="soft pointer-only">{text('photos.drop')}</span>
      </div>
      {props.wrong && (
        <p class="wrong" id={wrongId}>
          {props.wrong}
        </p>
      )}
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
      {props.children}
    </div>
  )
}

/** Returns the photos among some files. */
function picturesOf(files: FileList | undefined | null): File[] {
  return [...(files ?? [])].filter(isPhoto)
}
