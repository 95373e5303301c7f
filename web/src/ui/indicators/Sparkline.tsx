// A line of recent values without axes; the number beside it is exact.

export function Sparkline({
  values,
  width = 96,
  height = 18,
  label,
}: {
  values: number[];
  width?: number;
  height?: number;
  label?: string;
}) {
  if (values.length < 2) return <svg width={width} height={height} aria-hidden="true" />;
  const top = Math.max(1, ...values);
  const x = (at: number) => 1 + (at * (width - 4)) / (values.length - 1);
  const y = (value: number) => height - 3 - (value / top) * (height - 6);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const end = values.length - 1;
  return (
    <svg
      className="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path
        d={`M1,${height - 1} L${points.join(' L')} L${x(end).toFixed(1)},${height - 1}z`}
        fill="var(--bg-3)"
      />
      <path
        d={`M${points.join(' L')}`}
        fill="none"
        stroke="var(--tx-3)"
        strokeWidth="1.2"
        strokeLinejoin="round"
      />
      <circle cx={x(end)} cy={y(values[end]!)} r="1.8" fill="var(--tx-2)" />
    </svg>
  );
}
