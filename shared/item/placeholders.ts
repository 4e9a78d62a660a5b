/** The label when no listing states a condition, since the record requires one. */
export const conditionNotStated = 'not stated'

/** The title of a draft without one. */
export const untitled = 'Untitled'

/** The picture of an item that has yet to be photographed, on its server. */
export const noPhotoPath = '/assets/no-photo.svg'

/** Returns whether an address stands for a photo that is yet to be taken. */
export const isNoPhoto = (address: string): boolean => URL.parse(address)?.pathname === noPhotoPath
