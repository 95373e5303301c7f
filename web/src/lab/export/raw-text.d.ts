// Sources that are imported as text, for copies that contain them.
declare module '*.ts?raw' {
  const text: string;
  export default text;
}
