import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library'

const { QR_CODE, EAN_13, EAN_8, UPC_A, UPC_E, CODE_128, CODE_39 } = BarcodeFormat
const reader = new MultiFormatReader()
reader.setHints(
  new Map<DecodeHintType, unknown>([
    [DecodeHintType.POSSIBLE_FORMATS, [QR_CODE, EAN_13, EAN_8, UPC_A, UPC_E, CODE_128, CODE_39]],
    [DecodeHintType.TRY_HARDER, true],
  ]),
)

/** Reads a QR code or barcode in a picture. Null where there is none, or it cannot be read. */
export function zxingRead({ data, width, height }: Pick<ImageData, 'data' | 'width' | 'height'>): string | null {
  const luma = new Uint8ClampedArray(width * height)
  // The weights of red, green and blue in brightness.
  for (let at = 0; at < luma.length; at++) {
    luma[at] = (data[4 * at]! * 77 + data[4 * at + 1]! * 151 + data[4 * at + 2]! * 28) >> 8
  }
  try {
    return reader
      .decodeWithState(new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(luma, width, height))))
      .getText()
  } catch {
    // The library throws for each picture without a code, and in other ways for a code that is half in the picture.
    return null
  }
}
