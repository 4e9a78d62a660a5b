import { useLayoutEffect } from 'preact/hooks'
import { text } from './form-words.ts'
import { PhotoSources } from './photo-sources.tsx'
import { usePhotoUploads } from './use-photo-uploads.ts'

/** Adds photos, and shows those under way. */
export function PhotoUpload(props: {
  /** The problem of the whole list, in words. */
  wrong: string | null
  onUploaded: (address: string) => void
  onUploading: (isUploading: boolean) => void
}) {
  const { uploads, isUploading, add, retry, drop } = usePhotoUploads(props.onUploaded)
  // Before the next press, which may save the item.
  useLayoutEffect(() => {
    props.onUploading(isUploading)
    return () => props.onUploading(false)
  }, [isUploading])
  return (
    <PhotoSources wrong={props.wrong} onFiles={add}>
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
                      {text('retry')}
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
    </PhotoSources>
  )
}
