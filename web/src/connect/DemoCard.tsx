// The demo: an embedded cluster with a shop in it.
import {Button} from '../ui/controls/Button.tsx';
import {Card} from './Card.tsx';
import './demo-card.css';

export function DemoCard(props: {
  highlighted: boolean;
  busy: boolean;
  problem: string | null;
  onOpen: () => void;
}) {
  return (
    <Card
      title="Demo"
      icon="play"
      keys="D"
      highlighted={props.highlighted}
      problem={props.problem}
      lead="A shop in four namespaces, alive. No cluster, no Docker."
      foot={
        <Button
          look={props.highlighted ? 'primary' : 'outline'}
          size="large"
          keys="D"
          disabled={props.busy}
          onClick={props.onOpen}
        >
          {props.busy ? 'Opening…' : 'Open demo'}
        </Button>
      }
    >
      <DemoPicture />
      <dl className="demo-facts">
        <dt>19</dt>
        <dd>collections, 10 of them sources</dd>
        <dt>1</dt>
        <dd>real API server inside, kubectl works</dd>
        <dt>3</dt>
        <dd>real bugs to find</dd>
      </dl>
    </Card>
  );
}

/** A change reaches Workloads and stops at an equal value. */
function DemoPicture() {
  return (
    <svg
      className="demo-picture"
      viewBox="0 0 312 142"
      role="img"
      aria-label="A change in Pods reaches Workloads and stops where the result is equal"
    >
      <g className="demo-wire">
        <path d="M78 41C108 41 104 63 134 63M78 92C108 92 104 75 134 75M210 63C226 63 222 41 242 41M210 75C226 75 222 99 242 99" />
      </g>
      <g className="demo-box">
        <path d="M14 28h64v26H14zM18 28v26M14 79h64v26H14zM18 79v26" />
        <rect x="242" y="28" width="56" height="26" rx="7" />
        <rect x="242" y="86" width="56" height="26" rx="7" />
      </g>
      <rect className="demo-changed" x="134" y="50" width="76" height="38" rx="8" />
      <circle className="demo-halo" cx="106" cy="52" r="8" />
      <circle className="demo-dot" cx="106" cy="52" r="4.4" />
      <circle className="demo-stop" cx="242" cy="99" r="5" />
      <text x="26" y="45">
        Pods
      </text>
      <text x="26" y="96">
        Services
      </text>
      <text x="172" y="73" textAnchor="middle">
        Workloads
      </text>
    </svg>
  );
}
