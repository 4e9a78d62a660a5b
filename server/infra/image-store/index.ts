import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { createFolderStore } from './folder-store.ts'
import type { ImageStore } from './image-store.ts'
import { createS3Store } from './s3-store.ts'

/** Creates the store that the settings name: an S3-compatible bucket, or a folder. */
export function createImageStore(config: Config): ImageStore {
  const { S3_BUCKET_URL: bucketUrl, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (bucketUrl && accessKeyId && secretAccessKey) {
    return createS3Store({ bucketUrl, region, accessKeyId, secretAccessKey })
  }
  return createFolderStore(config.IMAGES_DIR ?? join(config.DATA_DIR, 'images'))
}
