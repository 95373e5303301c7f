// Generated from the OpenAPI schemas of Kubernetes 1.36 (Apache-2.0, see server/src/cluster/schemas/NOTICE).
// Do not edit. Run: node scripts/types/main.ts
import type * as admissionregistrationV1 from './admissionregistration-v1.ts';
import type * as apiextensionsV1 from './apiextensions-v1.ts';
import type * as appsV1 from './apps-v1.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as authorizationV1 from './authorization-v1.ts';
import type * as autoscalingV1 from './autoscaling-v1.ts';
import type * as autoscalingV2 from './autoscaling-v2.ts';
import type * as batchV1 from './batch-v1.ts';
import type * as coordinationV1 from './coordination-v1.ts';
import type * as coreV1 from './core-v1.ts';
import type * as discoveryV1 from './discovery-v1.ts';
import type * as eventsV1 from './events-v1.ts';
import type * as networkingV1 from './networking-v1.ts';
import type * as policyV1 from './policy-v1.ts';
import type * as rbacV1 from './rbac-v1.ts';
import type * as schedulingV1 from './scheduling-v1.ts';
import type * as storageV1 from './storage-v1.ts';

/** The type of each built-in kind by its apiVersion and kind. */
export type BuiltInObjects = {
  "admissionregistration.k8s.io/v1": {
    MutatingAdmissionPolicy: admissionregistrationV1.MutatingAdmissionPolicy;
    MutatingAdmissionPolicyBinding: admissionregistrationV1.MutatingAdmissionPolicyBinding;
    MutatingWebhookConfiguration: admissionregistrationV1.MutatingWebhookConfiguration;
    ValidatingAdmissionPolicy: admissionregistrationV1.ValidatingAdmissionPolicy;
    ValidatingAdmissionPolicyBinding: admissionregistrationV1.ValidatingAdmissionPolicyBinding;
    ValidatingWebhookConfiguration: admissionregistrationV1.ValidatingWebhookConfiguration;
  };
  "apiextensions.k8s.io/v1": {
    CustomResourceDefinition: apiextensionsV1.CustomResourceDefinition;
  };
  "apps/v1": {
    ControllerRevision: appsV1.ControllerRevision;
    DaemonSet: appsV1.DaemonSet;
    Deployment: appsV1.Deployment;
    ReplicaSet: appsV1.ReplicaSet;
    StatefulSet: appsV1.StatefulSet;
  };
  "authentication.k8s.io/v1": {
    SelfSubjectReview: authenticationV1.SelfSubjectReview;
    TokenRequest: authenticationV1.TokenRequest;
    TokenReview: authenticationV1.TokenReview;
  };
  "authorization.k8s.io/v1": {
    LocalSubjectAccessReview: authorizationV1.LocalSubjectAccessReview;
    SelfSubjectAccessReview: authorizationV1.SelfSubjectAccessReview;
    SelfSubjectRulesReview: authorizationV1.SelfSubjectRulesReview;
    SubjectAccessReview: authorizationV1.SubjectAccessReview;
  };
  "autoscaling/v1": {
    Scale: autoscalingV1.Scale;
  };
  "autoscaling/v2": {
    HorizontalPodAutoscaler: autoscalingV2.HorizontalPodAutoscaler;
  };
  "batch/v1": {
    CronJob: batchV1.CronJob;
    Job: batchV1.Job;
  };
  "coordination.k8s.io/v1": {
    Lease: coordinationV1.Lease;
  };
  "discovery.k8s.io/v1": {
    EndpointSlice: discoveryV1.EndpointSlice;
  };
  "events.k8s.io/v1": {
    Event: eventsV1.Event;
  };
  "networking.k8s.io/v1": {
    IPAddress: networkingV1.IPAddress;
    Ingress: networkingV1.Ingress;
    IngressClass: networkingV1.IngressClass;
    NetworkPolicy: networkingV1.NetworkPolicy;
    ServiceCIDR: networkingV1.ServiceCIDR;
  };
  "policy/v1": {
    Eviction: policyV1.Eviction;
    PodDisruptionBudget: policyV1.PodDisruptionBudget;
  };
  "rbac.authorization.k8s.io/v1": {
    ClusterRole: rbacV1.ClusterRole;
    ClusterRoleBinding: rbacV1.ClusterRoleBinding;
    Role: rbacV1.Role;
    RoleBinding: rbacV1.RoleBinding;
  };
  "scheduling.k8s.io/v1": {
    PriorityClass: schedulingV1.PriorityClass;
  };
  "storage.k8s.io/v1": {
    CSIDriver: storageV1.CSIDriver;
    CSINode: storageV1.CSINode;
    CSIStorageCapacity: storageV1.CSIStorageCapacity;
    StorageClass: storageV1.StorageClass;
    VolumeAttachment: storageV1.VolumeAttachment;
    VolumeAttributesClass: storageV1.VolumeAttributesClass;
  };
  "v1": {
    Binding: coreV1.Binding;
    ComponentStatus: coreV1.ComponentStatus;
    ConfigMap: coreV1.ConfigMap;
    Endpoints: coreV1.Endpoints;
    Event: coreV1.Event;
    LimitRange: coreV1.LimitRange;
    Namespace: coreV1.Namespace;
    Node: coreV1.Node;
    PersistentVolume: coreV1.PersistentVolume;
    PersistentVolumeClaim: coreV1.PersistentVolumeClaim;
    Pod: coreV1.Pod;
    PodTemplate: coreV1.PodTemplate;
    ReplicationController: coreV1.ReplicationController;
    ResourceQuota: coreV1.ResourceQuota;
    Secret: coreV1.Secret;
    Service: coreV1.Service;
    ServiceAccount: coreV1.ServiceAccount;
  };
};

export type {
  AWSElasticBlockStoreVolumeSource,
  Affinity,
  AppArmorProfile,
  AttachedVolume,
  AzureDiskVolumeSource,
  AzureFilePersistentVolumeSource,
  AzureFileVolumeSource,
  Binding,
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  Capabilities,
  CephFSPersistentVolumeSource,
  CephFSVolumeSource,
  CinderPersistentVolumeSource,
  CinderVolumeSource,
  ClientIPConfig,
  ClusterTrustBundleProjection,
  ComponentCondition,
  ComponentStatus,
  ConfigMap,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  ConfigMapNodeConfigSource,
  ConfigMapProjection,
  ConfigMapVolumeSource,
  Container,
  ContainerExtendedResourceRequest,
  ContainerImage,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  ContainerUser,
  DaemonEndpoint,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  EphemeralContainer,
  EphemeralVolumeSource,
  Event,
  EventSeries,
  EventSource,
  ExecAction,
  FCVolumeSource,
  FileKeySelector,
  FlexPersistentVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GRPCAction,
  GitRepoVolumeSource,
  GlusterfsPersistentVolumeSource,
  GlusterfsVolumeSource,
  HTTPGetAction,
  HTTPHeader,
  HostAlias,
  HostIP,
  HostPathVolumeSource,
  ISCSIPersistentVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  ImageVolumeStatus,
  KeyToPath,
  Lifecycle,
  LifecycleHandler,
  LimitRange,
  LimitRangeItem,
  LimitRangeSpec,
  LinuxContainerUser,
  LoadBalancerIngress,
  LoadBalancerStatus,
  LocalObjectReference,
  LocalVolumeSource,
  ModifyVolumeStatus,
  NFSVolumeSource,
  Namespace,
  NamespaceCondition,
  NamespaceSpec,
  NamespaceStatus,
  Node,
  NodeAddress,
  NodeAffinity,
  NodeAllocatableResourceClaimStatus,
  NodeCondition,
  NodeConfigSource,
  NodeConfigStatus,
  NodeDaemonEndpoints,
  NodeFeatures,
  NodeRuntimeHandler,
  NodeRuntimeHandlerFeatures,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSpec,
  NodeStatus,
  NodeSwapStatus,
  NodeSystemInfo,
  ObjectFieldSelector,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
  PersistentVolumeClaimVolumeSource,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  PhotonPersistentDiskVolumeSource,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodCertificateProjection,
  PodCondition,
  PodDNSConfig,
  PodDNSConfigOption,
  PodExtendedResourceClaimStatus,
  PodIP,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodResourceClaimStatus,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplate,
  PodTemplateSpec,
  PortStatus,
  PortworxVolumeSource,
  PreferredSchedulingTerm,
  Probe,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDPersistentVolumeSource,
  RBDVolumeSource,
  ReplicationController,
  ReplicationControllerCondition,
  ReplicationControllerSpec,
  ReplicationControllerStatus,
  ResourceClaim,
  ResourceFieldSelector,
  ResourceHealth,
  ResourceQuota,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ResourceRequirements,
  ResourceStatus,
  SELinuxOptions,
  ScaleIOPersistentVolumeSource,
  ScaleIOVolumeSource,
  ScopeSelector,
  ScopedResourceSelectorRequirement,
  SeccompProfile,
  Secret,
  SecretEnvSource,
  SecretKeySelector,
  SecretProjection,
  SecretReference,
  SecretVolumeSource,
  SecurityContext,
  Service,
  ServiceAccount,
  ServiceAccountTokenProjection,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
  SessionAffinityConfig,
  SleepAction,
  StorageOSPersistentVolumeSource,
  StorageOSVolumeSource,
  Sysctl,
  TCPSocketAction,
  Taint,
  Toleration,
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  TypedObjectReference,
  Volume,
  VolumeDevice,
  VolumeMount,
  VolumeMountStatus,
  VolumeNodeAffinity,
  VolumeProjection,
  VolumeResourceRequirements,
  VolumeStatus,
  VsphereVirtualDiskVolumeSource,
  WeightedPodAffinityTerm,
  WindowsSecurityContextOptions,
} from './core-v1.ts';
export type * as coreV1 from './core-v1.ts';
export type {
  Condition,
  DeleteOptions,
  Embedded,
  FieldSelectorRequirement,
  FieldsV1,
  IntOrString,
  LabelSelector,
  LabelSelectorRequirement,
  ManagedFieldsEntry,
  MicroTime,
  NamedObjectMeta,
  ObjectMeta,
  OwnerReference,
  Preconditions,
  Quantity,
  RawExtension,
  Time,
} from './meta-v1.ts';
export type * as metaV1 from './meta-v1.ts';
export type {
  ApplyConfiguration,
  AuditAnnotation,
  ExpressionWarning,
  JSONPatch,
  MatchCondition,
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  Mutation,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  RuleWithOperations,
  ServiceReference,
  TypeChecking,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  Validation,
  Variable,
  WebhookClientConfig,
} from './admissionregistration-v1.ts';
export type * as admissionregistrationV1 from './admissionregistration-v1.ts';
export type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  CustomResourceSubresourceStatus,
  CustomResourceSubresources,
  CustomResourceValidation,
  ExternalDocumentation,
  JSON,
  JSONSchemaProps,
  JSONSchemaPropsOrArray,
  JSONSchemaPropsOrBool,
  JSONSchemaPropsOrStringArray,
  SelectableField,
  ValidationRule,
  WebhookConversion,
} from './apiextensions-v1.ts';
export type * as apiextensionsV1 from './apiextensions-v1.ts';
export type {
  ControllerRevision,
  DaemonSet,
  DaemonSetCondition,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  Deployment,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  ReplicaSet,
  ReplicaSetCondition,
  ReplicaSetSpec,
  ReplicaSetStatus,
  RollingUpdateDaemonSet,
  RollingUpdateDeployment,
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetCondition,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from './apps-v1.ts';
export type * as appsV1 from './apps-v1.ts';
export type {
  BoundObjectReference,
  SelfSubjectReview,
  SelfSubjectReviewStatus,
  TokenRequest,
  TokenRequestSpec,
  TokenRequestStatus,
  TokenReview,
  TokenReviewSpec,
  TokenReviewStatus,
  UserInfo,
} from './authentication-v1.ts';
export type * as authenticationV1 from './authentication-v1.ts';
export type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LocalSubjectAccessReview,
  NonResourceAttributes,
  NonResourceRule,
  ResourceAttributes,
  ResourceRule,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SelfSubjectRulesReview,
  SelfSubjectRulesReviewSpec,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
  SubjectRulesReviewStatus,
} from './authorization-v1.ts';
export type * as authorizationV1 from './authorization-v1.ts';
export type {
  Scale,
  ScaleSpec,
  ScaleStatus,
} from './autoscaling-v1.ts';
export type * as autoscalingV1 from './autoscaling-v1.ts';
export type {
  ContainerResourceMetricSource,
  ContainerResourceMetricStatus,
  CrossVersionObjectReference,
  ExternalMetricSource,
  ExternalMetricStatus,
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  ObjectMetricStatus,
  PodsMetricSource,
  PodsMetricStatus,
  ResourceMetricSource,
  ResourceMetricStatus,
} from './autoscaling-v2.ts';
export type * as autoscalingV2 from './autoscaling-v2.ts';
export type {
  CronJob,
  CronJobSpec,
  CronJobStatus,
  Job,
  JobCondition,
  JobSpec,
  JobStatus,
  JobTemplateSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
  UncountedTerminatedPods,
} from './batch-v1.ts';
export type * as batchV1 from './batch-v1.ts';
export type {
  Lease,
  LeaseSpec,
} from './coordination-v1.ts';
export type * as coordinationV1 from './coordination-v1.ts';
export type {
  Endpoint,
  EndpointConditions,
  EndpointHints,
  EndpointSlice,
  ForNode,
  ForZone,
} from './discovery-v1.ts';
export type * as discoveryV1 from './discovery-v1.ts';
export type * as eventsV1 from './events-v1.ts';
export type {
  HTTPIngressPath,
  HTTPIngressRuleValue,
  IPAddress,
  IPAddressSpec,
  IPBlock,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
  IngressLoadBalancerIngress,
  IngressLoadBalancerStatus,
  IngressPortStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressStatus,
  IngressTLS,
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
  ParentReference,
  ServiceBackendPort,
  ServiceCIDR,
  ServiceCIDRSpec,
  ServiceCIDRStatus,
} from './networking-v1.ts';
export type * as networkingV1 from './networking-v1.ts';
export type {
  Eviction,
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from './policy-v1.ts';
export type * as policyV1 from './policy-v1.ts';
export type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from './rbac-v1.ts';
export type * as rbacV1 from './rbac-v1.ts';
export type {
  PriorityClass,
} from './scheduling-v1.ts';
export type * as schedulingV1 from './scheduling-v1.ts';
export type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSINodeSpec,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeAttributesClass,
  VolumeError,
  VolumeNodeResources,
} from './storage-v1.ts';
export type * as storageV1 from './storage-v1.ts';
