import { createText } from './create-text.ts'
import { filesMessages } from './en/files.ts'

/** Messages of the screen that imports and exports files, apart from the others, so that the app opens without them. */
export const { text: filesText } = createText(filesMessages)
